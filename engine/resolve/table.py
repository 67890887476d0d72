"""The working table of one turn: a copy of the position that phases may change, and notes.

Phases note damage, cures, deaths and mind spells, and the last ones apply them together. This makes
a turn simultaneous.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, NamedTuple, ParamSpec

from engine.dice import AnyDice
from engine.events import Drew, Event
from engine.gestures import BANK
from engine.ids import FUTURE_BEINGS, SetHand, future_being_id
from engine.legality.casting import DRAWN, DefaultChoice, default_opponent
from engine.orders import NO_ORDERS, HandSet, Orders
from engine.positions.position import (
    ALIVE,
    EXTRA,
    NORMAL,
    STANDING,
    STRICT,
    TIME_STOP_IN_OWN_TURN,
    Effect,
    Monster,
    Position,
    Wizard,
    can_make_gestures,
)
from engine.questions import Question
from engine.resolve.event_factories import cast_event, failed, hit, stopped
from engine.rulesets.ruleset import Ruleset
from engine.spellbook import AffectedBeings, Spell

Being = Wizard | Monster
Fields = ParamSpec("Fields")
NOBODY: Final[frozenset[str]] = frozenset()
NO_NOTES: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass(slots=True, eq=False)
class Casting:
    """A spell being cast: its caster and hand, and its current subject."""

    spell: Spell
    wizard: Wizard
    hand: str
    set: int
    # The current subject, which changes if a mirror sends the spell back.
    subject: str
    pattern: str = ""
    # The spells that the hand completes but does not cast.
    displaced: tuple[str, ...] = ()
    permanent: bool = False
    # The subject as written.
    aimed: str = field(init=False)
    # The wizard who names a hand: the caster, or a mirror's owner. rules: R43
    master: str = field(init=False)

    def __post_init__(self) -> None:
        self.aimed = self.subject
        self.master = self.wizard.id

    @property
    def released(self) -> bool:
        """Whether it was banked and is now released. rules: R105"""
        return self.hand == BANK

    @property
    def key(self) -> str:
        """Name that orders use for the monster this cast makes. rules: R14"""
        return future_being_id(self.wizard.id, self.hand, self.set)


CompletedSet = tuple[Wizard, int, HandSet, int, int, DefaultChoice]
"""A set of gestures that completed at least one spell.

It consists of the wizard, the set's number, the orders for the set, both hands' automaton states
after it, and the spells that are cast if the orders choose none.
"""


AimedStab = tuple[Wizard, str]
"""The wizard who stabs, and the subject."""


class Harm(NamedTuple):
    """Damage to the subject, or a kill, by a spell that the caster completed this turn."""

    caster: str
    subject: str
    slays: bool = False


@dataclass(slots=True, eq=False, repr=False)
class Table:
    """The state that all phases of one turn share.

    Fields that few turns need start as shared empty values, which are replaced and never changed.
    """

    before: Position
    orders: Mapping[str, Orders]
    answers: Mapping[str, str]
    dice: AnyDice
    emit: Callable[[Event], object] | None
    asking: bool = False
    position: Position = field(init=False)
    rules: Ruleset = field(init=False)
    turn: int = field(init=False)
    extra: bool = field(init=False)
    dispelled: bool = False
    started: list[Wizard] = field(init=False)
    acting: list[Wizard] = field(init=False)  # the wizards who gesture this turn
    sets: dict[str, tuple[str, ...]] = field(init=False)  # gestures really made, by wizard
    casts: list[Casting] = field(init=False)
    casts_reaching: dict[str, list[Casting]] = field(init=False)
    damage: dict[str, int] = field(init=False)
    attacks: dict[str, list[str]] = field(init=False)  # victims attacked, by monster
    completed_sets: tuple[CompletedSet, ...] = ()
    surrenders: tuple[tuple[Wizard, int], ...] = ()
    stabs: tuple[AimedStab, ...] = ()
    fallen: tuple[Wizard, ...] = ()  # wizards who died
    shields: frozenset[str] = NOBODY
    doomed: Mapping[str, str] = field(init=False)  # destroyed when the turn ends, with the cause
    destroyed: Mapping[str, str] = field(init=False)  # gone before they attack, with the cause
    slain: Mapping[str, str] = field(init=False)  # killed outright, with the cause
    spent: tuple[Casting, ...] = ()  # casts with no further effect
    windows_used: tuple[tuple[str, str], ...] = ()  # on the same turn that they opened
    countered: frozenset[str] = NOBODY
    mirrored: frozenset[str] = NOBODY
    waiting_guards: tuple[Casting, ...] = ()  # counter-spells and mirrors for future monsters
    created: Mapping[str, Monster] = field(init=False)  # by the names that orders use
    summoned_for: tuple[tuple[str, Monster], ...] = ()  # with the final subject of the summons
    chosen_elementals: tuple[tuple[Casting, Monster], ...] = ()  # elementals whose kind is chosen
    storms: Mapping[str, Casting] = field(init=False)
    spared_by_ice_storm: frozenset[str] = NOBODY  # because of a fireball. rules: R67
    cures: Mapping[str, int] = field(init=False)
    raised: Mapping[str, Being] = field(init=False)
    before_removal: Mapping[str, Mapping[str, Effect]] = field(init=False)
    merged: Mapping[str, Monster] = field(init=False)  # the elementals that stay, by the other's id
    mind_casts: tuple[tuple[Being, Casting], ...] = ()
    hands_named: Mapping[str, str] = field(init=False)  # for paralyses and charms, by cast key
    broken: tuple[Wizard, ...] = ()
    stopped: tuple[str, ...] = ()
    sacrificed: frozenset[str] = NOBODY  # monsters given up. rules: R24
    harms: tuple[Harm, ...] = ()

    def __post_init__(self) -> None:
        self.position = new = self.before.copy()
        self.rules = new.rules
        self.turn = new.turn
        self.extra = new.kind == EXTRA
        self.started = []
        for wizard in new.wizards:
            if wizard.standing == STANDING:
                self.started.append(wizard)
        self.acting = self.started
        if new.kind != NORMAL:
            self.acting = [wizard for wizard in self.started if can_make_gestures(new, wizard)]
        self.sets, self.casts, self.casts_reaching = {}, [], {}
        self.damage, self.attacks = {}, {}
        self.doomed = self.destroyed = self.slain = self.created = self.storms = NO_NOTES
        self.cures = self.raised = self.before_removal = self.merged = self.hands_named = NO_NOTES

    def orders_of(self, wizard: str) -> Orders:
        return self.orders.get(wizard, NO_ORDERS)

    def report(
        self, make: Callable[Fields, Event], *values: Fields.args, **named: Fields.kwargs
    ) -> None:
        """Emit the event that `make` returns for these values, if events are wanted."""
        if self.emit:
            self.emit(make(*values, **named))

    def report_cast(self, cast: Casting) -> None:
        if self.emit:
            event = cast_event(
                cast.wizard.id, cast.spell.id, cast.hand, cast.set, cast.aimed,
                cast.displaced, cast.pattern,
            )  # fmt: skip
            self.emit(event)

    def fail(self, cast: Casting, cause: str, by: str = "") -> None:
        """Record that a cast has no effect."""
        if self.emit:
            self.emit(failed(cast.spell.id, cast.wizard.id, cast.subject, cause, by))

    def living(self) -> list[Being]:
        """Return every being that can be struck now: wizards by seat, then monsters by creation."""
        beings: list[Being] = [w for w in self.position.wizards if w.standing == STANDING]
        monsters = self.position.monsters
        if monsters:
            beings += [m for m in monsters if m.state == ALIVE and m.id not in self.destroyed]
        return beings

    def find(self, subject: str) -> Being | None:
        """Return the being with that id or future id, alive or dead, or None if there is none."""
        if subject in FUTURE_BEINGS:
            monster = self.created.get(subject)
            return monster and self.merged.get(monster.id, monster)
        return self.merged.get(subject) or self.position.being(subject)

    def given_answer(self, question: Question) -> str | None:
        """Return the answer given after the reveal or in advance, or None if there is none."""
        given = self.answers.get(question.id)
        if given in question.options:
            return given
        if STRICT in self.position.options:
            return None
        return self.orders_of(question.wizard).answers.get(question.kind)

    def is_defenceless(self, being: Being) -> bool:
        """Return whether this is an extra turn in which nothing protects the being.

        rules: R98

        In rulesets with numbered extra turns, all beings are treated alike. rules: W12
        """
        if not self.extra or self.rules.time_stop is TIME_STOP_IN_OWN_TURN:
            return False
        return being.id not in self.position.stopped

    def is_active(self, effect: Effect | None) -> bool:
        """Return whether an effect is active in this turn. rules: W12"""
        return (
            effect is not None
            and effect.is_active(self.turn)
            and not self.position.ignores_effect(effect)
        )

    def is_shielded(self, being: Being) -> bool:
        """Return whether a shield protects the being. rules: turn:shield"""
        if being.id not in self.shields and (
            not being.effects or not self.is_active(being.effects.get(self.rules.protecting))
        ):
            return False
        return not self.extra or not self.is_defenceless(being)

    def resists(self, being: Being, element: str) -> bool:
        """Return whether the being resists heat ("fire") or cold ("ice")."""
        if not being.effects:
            return False
        resistance = self.rules.resistances.get(element, "")
        return self.is_active(being.effects.get(resistance)) and not self.is_defenceless(being)

    def is_invisible(self, being: Being) -> bool:
        if not being.effects:
            return False
        hiding = being.effects.get(self.rules.hiding)
        return self.is_active(hiding) and not self.is_defenceless(being)

    def was_invisible(self, wizard: str) -> bool:
        """Return whether the wizard was invisible when the turn began. rules: W33"""
        effects = self.before.wizard(wizard).effects
        return bool(effects) and self.is_active(effects.get(self.rules.hiding))

    def was_blind(self, wizard: str) -> bool:
        """Return whether the wizard was blind when the turn began."""
        effects = self.before.wizard(wizard).effects
        return bool(effects) and self.is_active(effects.get(self.rules.blinding))

    def fail_each(self, casts: list[Casting], failing: Iterable[Casting], cause: str) -> None:
        """Remove the failing casts from the list, and record that they have no effect."""
        for cast in failing:
            casts.remove(cast)
            self.fail(cast, cause)

    def draw_opponent(self, wizard: str, by: SetHand | Monster) -> str:
        """Return the opponent for a cast, a stab or a monster's attack if none is named.

        If there are several opponents, some rulesets draw one. rules: R13, W3
        """
        others = [other.id for other in self.position.wizards_in_duel() if other.id != wizard]
        if self.rules.opponent is not DRAWN or len(others) < 2:
            return default_opponent(self.position, wizard)
        if isinstance(by, Monster):
            being, hand, aim = by.id, "", by.id
        else:
            being, hand, aim = wizard, by.hand, f"{wizard} {by.text}"
        label = f"turn {self.turn} opponent {aim}"
        return self.draw(being, "opponent", label, others, hand)

    def draw(
        self, being: str, purpose: str, label: str, options: Sequence[str], hand: str = ""
    ) -> str:
        """Draw one of the options, and report the draw."""
        value = self.dice.draw(label, len(options))
        self.report(Drew, being, purpose, len(options), value, options[value], label, hand)
        return options[value]

    def slay(self, id: str, cause: str) -> None:
        """Record that the being dies when the turn ends; the first cause counts."""
        self.slain = {id: cause, **self.slain}

    def destroy(self, id: str, cause: str) -> None:
        """Record that the monster is destroyed before it attacks; the first cause counts."""
        self.destroyed = {id: cause, **self.destroyed}

    def apply_damage(self, being: Being, amount: int) -> None:
        """Note damage, which all beings take at the same time."""
        self.damage[being.id] = self.damage.get(being.id, 0) + amount

    def strike(self, being: Being, amount: int, source: str, by: str, cause: str = "") -> None:
        """Apply damage, or report the cause that stops it, if there is one."""
        if cause:
            self.report(stopped, being.id, source, by, cause)
        else:
            self.apply_damage(being, amount)
            if self.emit:
                self.emit(hit(being.id, amount, source, by))


def is_alive(being: Being | None) -> bool:
    """Return whether the being is a wizard still in the duel or a living monster."""
    if being is None:
        return False
    if isinstance(being, Wizard):
        return being.standing == STANDING
    return being.state == ALIVE


def living(position: Position) -> list[Being]:
    """Return all beings that can have effects: wizards by seat, then monsters by number."""
    monsters = [monster for monster in position.monsters if monster.state == ALIVE]
    return [*position.wizards_in_duel(), *monsters]


def can_affect(works: AffectedBeings, being: Being) -> bool:
    """Return whether a spell that works on these kinds of beings can affect this one."""
    match works:
        case AffectedBeings.ALL:
            return True
        case AffectedBeings.WIZARDS:
            return isinstance(being, Wizard)
        case AffectedBeings.MONSTERS:
            return isinstance(being, Monster)
        case AffectedBeings.EARTHLY:
            return isinstance(being, Wizard) or not being.is_elemental
        case AffectedBeings.BEASTS:
            return isinstance(being, Monster) and not being.is_elemental


def is_corpse(being: Being | None) -> bool:
    return being is not None and not is_alive(being)


def unseen_by(position: Position, being: Being, cast: Casting) -> tuple[str, ...]:
    """Return the wizards from whom an extra turn hides the effect of this cast. rules: R121, W12"""
    if position.kind != EXTRA or position.rules.time_stop is TIME_STOP_IN_OWN_TURN:
        return ()
    owner = being.id if isinstance(being, Wizard) else being.controller
    informed = {cast.wizard.id, cast.master, owner}
    return tuple(wizard.id for wizard in position.wizards if wizard.id not in informed)
