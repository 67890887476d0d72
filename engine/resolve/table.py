"""The working table of one turn: a copy of the position that phases may change, and notes.

Phases note damage, cures, deaths and mind spells, and the last ones apply them together. This makes
a turn simultaneous.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from engine.dice import AnyDice
from engine.events import Drew, Event
from engine.gestures import BANK
from engine.ids import FUTURE_BEINGS, SetHand, future_being_id
from engine.legality.casting import DRAWN, ChosenSet, default_opponent
from engine.orders import NO_ORDERS, HandSet, Orders
from engine.positions.position import (
    ALIVE,
    EXTRA,
    NORMAL,
    OWN_TURN,
    STANDING,
    Effect,
    Monster,
    Position,
    Wizard,
    can_make_gestures,
)
from engine.resolve.event_factories import failed
from engine.spellbook import AffectedBeings, Spell

Being = Wizard | Monster
NOBODY: Final[frozenset[str]] = frozenset()
NONE_NOTED: Final[Mapping[str, Any]] = MappingProxyType({})


class Casting:
    """A spell being cast: its caster and hand, and its current subject."""

    __slots__ = (
        "aimed", "event", "hand", "master", "pattern", "permanent", "set", "spell", "subject",
        "wizard",
    )  # fmt: skip

    def __init__(
        self,
        spell: Spell,
        wizard: Wizard,
        hand: str,
        number: int,
        subject: str,
        pattern: str = "",
    ) -> None:
        self.event: Event  # set only if events are emitted
        self.spell = spell
        self.pattern = pattern
        self.wizard = wizard
        self.hand = hand
        self.set = number
        # The current subject, which changes if a mirror sends the spell back.
        self.subject = subject
        # The subject as written.
        self.aimed = subject
        # The wizard who names a hand: the caster, or a mirror's owner. rules: R43
        self.master = wizard.id
        self.permanent = False

    @property
    def released(self) -> bool:
        """Whether it was banked and is now released. rules: R105"""
        return self.hand == BANK

    @property
    def key(self) -> str:
        """Name that orders use for the monster this cast makes. rules: R14"""
        return future_being_id(self.wizard.id, self.hand, self.set)


CompletedSet = tuple[Wizard, int, HandSet, int, int, ChosenSet]
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


class Table:
    """The state that all phases of one turn share."""

    __slots__ = (
        "acting", "answers", "asking", "attacks", "before", "before_removal", "broken", "casts",
        "casts_reaching", "completed_sets", "countered", "created", "cures", "damage", "destroyed",
        "dice", "dispelled", "doomed", "emit", "extra", "fallen", "hands_named", "harms",
        "merged", "mind_casts", "mirrored", "orders", "position",
        "raised", "rules", "sacrificed", "sets", "shields", "slain", "spared_by_ice_storm", "spent",
        "stabs", "started", "stopped", "storms", "summoned_for", "surrenders", "turn",
        "undecided_elementals", "waiting_guards", "windows_used",
    )  # fmt: skip

    def __init__(
        self,
        position: Position,
        orders: Mapping[str, Orders],
        answers: Mapping[str, str],
        dice: AnyDice,
        emit: Callable[[Event], object] | None,
        asking: bool = False,
    ) -> None:
        self.before = position
        self.position = new = position.copy()
        self.rules = new.rules
        self.orders = orders
        self.answers = answers
        self.dice = dice
        self.emit = emit
        self.asking = asking
        self.turn = new.turn
        self.extra = new.kind == EXTRA
        self.started: list[Wizard] = []
        for wizard in new.wizards:
            if wizard.standing == STANDING:
                self.started.append(wizard)
        self.acting = self.started  # the wizards who gesture this turn
        if new.kind != NORMAL:
            self.acting = [wizard for wizard in self.started if can_make_gestures(new, wizard)]
        self.sets: dict[str, tuple[str, ...]] = {}  # gestures really made, by wizard
        self.dispelled = False
        self.casts: list[Casting] = []
        self.casts_reaching: dict[str, list[Casting]] = {}
        self.damage: dict[str, int] = {}
        self.attacks: dict[str, list[str]] = {}  # victims attacked, by monster
        # Notes that few turns need begin with shared empty values. They are replaced, not changed.
        self.shields = self.countered = self.mirrored = NOBODY
        self.spared_by_ice_storm = self.sacrificed = NOBODY
        self.completed_sets = self.surrenders = self.stabs = self.fallen = ()
        self.spent = self.windows_used = self.waiting_guards = self.summoned_for = ()
        self.undecided_elementals = self.mind_casts = self.broken = self.stopped = self.harms = ()
        self.doomed = self.destroyed = self.slain = self.created = self.raised = NONE_NOTED
        self.merged = self.before_removal = self.storms = self.cures = self.hands_named = NONE_NOTED

    completed_sets: tuple[CompletedSet, ...]
    surrenders: tuple[tuple[Wizard, int], ...]
    stabs: tuple[AimedStab, ...]
    fallen: tuple[Wizard, ...]  # wizards who died
    shields: frozenset[str]
    doomed: Mapping[str, str]  # destroyed when the turn ends, with the cause
    destroyed: Mapping[str, str]  # gone before they attack, with the cause
    slain: Mapping[str, str]  # killed outright, with the cause
    spent: tuple[Casting, ...]  # casts with no further effect
    windows_used: tuple[tuple[str, str], ...]  # on the very turn they opened
    countered: frozenset[str]
    mirrored: frozenset[str]
    waiting_guards: tuple[Casting, ...]  # counter-spells and mirrors for beings yet to come
    created: Mapping[str, Monster]  # by the name orders give them
    summoned_for: tuple[tuple[str, Monster], ...]  # final subject of the summons, and the monster
    undecided_elementals: tuple[tuple[Casting, Monster], ...]  # elementals whose kind is open
    storms: Mapping[str, Casting]
    # Beings that the ice storm spares because of a fireball. rules: R67
    spared_by_ice_storm: frozenset[str]
    cures: Mapping[str, int]
    raised: Mapping[str, Being]
    before_removal: Mapping[str, Mapping[str, Effect]]
    merged: Mapping[str, str]
    mind_casts: tuple[tuple[Being, Casting], ...]
    hands_named: Mapping[str, str]  # the hand named for a paralysis or a charm, by question id
    broken: tuple[Wizard, ...]
    stopped: tuple[str, ...]
    # Monsters given up for a Sacrifice. rules: R24
    sacrificed: frozenset[str]
    harms: tuple[Harm, ...]

    def orders_of(self, wizard: str) -> Orders:
        return self.orders.get(wizard, NO_ORDERS)

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
            if monster is None or monster.id not in self.merged:
                return monster
            subject = monster.id
        if self.merged:
            subject = self.merged.get(subject, subject)
        return self.position.being(subject)

    def is_out_of_time(self, being: Being) -> bool:
        """Return whether this is an extra turn of others, in which nothing protects the being.

        rules: R98

        In rulesets with numbered extra turns, all beings are treated alike. rules: W12
        """
        if not self.extra or self.rules.time_stop is OWN_TURN:
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
        return not self.extra or not self.is_out_of_time(being)

    def resists(self, being: Being, element: str) -> bool:
        """Return whether the being resists heat ("fire") or cold ("ice")."""
        if not being.effects:
            return False
        resistance = self.rules.resistances.get(element, "")
        return self.is_active(being.effects.get(resistance)) and not self.is_out_of_time(being)

    def is_invisible(self, being: Being) -> bool:
        if not being.effects:
            return False
        return self.is_active(being.effects.get(self.rules.hiding)) and not self.is_out_of_time(
            being
        )

    def was_invisible(self, wizard: str) -> bool:
        """Return whether the wizard was invisible when the turn began.

        rules: W33
        """
        effects = self.before.wizard(wizard).effects
        return bool(effects) and self.is_active(effects.get(self.rules.hiding))

    def was_blind(self, wizard: str) -> bool:
        """Return whether the wizard was blind when the turn began."""
        effects = self.before.wizard(wizard).effects
        return bool(effects) and self.is_active(effects.get(self.rules.blinding))

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
        value = self.dice.draw(label, len(others))
        if self.emit:
            self.emit(Drew(being, "opponent", len(others), value, others[value], label, hand))
        return others[value]

    def slay(self, id: str, cause: str) -> None:
        """Record that the being dies when the turn ends; the first cause counts."""
        self.slain = {id: cause, **self.slain}

    def destroy(self, id: str, cause: str) -> None:
        """Record that the monster is destroyed before it attacks; the first cause counts."""
        self.destroyed = {id: cause, **self.destroyed}

    def apply_damage(self, subject: str, amount: int) -> None:
        self.damage[subject] = self.damage.get(subject, 0) + amount


def is_alive(being: Being | None) -> bool:
    """Return whether the being is a wizard still in the duel or a living monster."""
    if being is None:
        return False
    if isinstance(being, Wizard):
        return being.standing == STANDING
    return being.state == ALIVE


def living(position: Position) -> list[Being]:
    """Return all beings that can have effects: wizards by seat, then monsters by number."""
    beings: list[Being] = [*position.wizards_in_duel()]
    beings += [monster for monster in position.monsters if monster.state == ALIVE]
    return beings


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
    """Return the wizards who do not see the effect of this cast because of an extra turn.

    rules: R121, W12
    """
    if position.kind != EXTRA or position.rules.time_stop is OWN_TURN:
        return ()
    owner = being.id if isinstance(being, Wizard) else being.controller
    informed = {cast.wizard.id, cast.master, owner}
    return tuple(wizard.id for wizard in position.wizards if wizard.id not in informed)
