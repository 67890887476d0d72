"""The position between two turns: wizards, monsters and the effects on them.

Positions contain only what later turns can depend on; the events of the turns contain the story.
By convention, positions are values: `resolve` and similar calls change only their own copy.
"""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.fields import stored
from engine.gestures import SYMBOLS_OF_PAIR
from engine.ids import SEATS, WizardHand, is_monster, monster_number, wizard_id
from engine.rulesets import RULESETS, readings
from engine.rulesets.choices import TimeStopMode
from engine.rulesets.ruleset import Ruleset
from engine.spellbook import MAX_SURPLUS_HIT_POINTS, MONSTER_KINDS, Guard

MAX_LINEAR_SEARCH: Final = 100
"""Maximum number of monsters for which a linear search is faster than a binary search."""
FOREVER: Final = 1_000_000
"""The last turn of an effect that lasts until it is removed."""

STANDING, DEAD, SURRENDERED, RESIGNED = "standing", "dead", "surrendered", "resigned"
"""Values of `Wizard.standing`. Only wizards with the value STANDING are still in the duel."""
FORFEITED = "forfeited"  # removed from the duel because their time ran out
REMOVED = "removed"  # removed from the duel by a referee
PRONOUNS: Final = ("he", "she", "they", "it")
WIZARD_STANDINGS: Final = (STANDING, DEAD, SURRENDERED, RESIGNED, FORFEITED, REMOVED)
ALIVE, CORPSE = "alive", "corpse"
"""Values of `Monster.state`."""
NORMAL, EXTRA, HASTE = "normal", "extra", "haste"
"""Kinds of turns. Only time-stopped beings act in an extra turn, and only hasted wizards in a turn
of the kind HASTE. rules: R97, R98"""
TIME_STOP_IN_OWN_TURN: Final = TimeStopMode.OWN_TURN
DRAW: Final = "draw"
"""The outcome of a duel that nobody won."""
STRICT: Final = "strict"
SACRIFICE: Final = "sacrifice"
"""The house rule that a Sacrifice destroys a monster and deals its damage. rules: R24"""
GUARDS_KEPT_WITH_HASTE: Final = (Guard.SHIELD, Guard.COUNTER, Guard.MIRROR)
"""The guards of a normal turn that still protect a being in the hasted turn after it. rules: W11"""
PARAFC, MALADROIT = "parafc", "maladroit"
"""The options that change the rules of Warlocks. rules: W21, W23"""


class Effect(NamedTuple):
    """An active enchantment: the turns on which it acts, and the details of what it does."""

    first: int
    last: int = FOREVER
    caster: str = ""
    permanent: bool = False
    # The hand that a paralysis, a charm or a fixed confusion affects.
    hand: str = ""
    # The letter that this hand must make.
    letter: str = ""
    # The sets of a wizard, or the victims of a monster, that an amnesia repeats.
    sets: tuple[str, ...] = ()
    # Wizards who do not know the effect, which was cast in an extra turn. rules: R121
    unseen_by: tuple[str, ...] = ()

    def is_active(self, turn: int) -> bool:
        """Return whether the effect is active on that turn."""
        return self.first <= turn <= self.last


NO_EFFECTS: Final[Mapping[str, Effect]] = MappingProxyType({})


def _no_effects() -> Mapping[str, Effect]:
    return NO_EFFECTS


class PendingCast(NamedTuple):
    """A spell aimed in a haste phase and cast with the spells of the turn that follows."""

    wizard: str
    spell: str
    pattern: str
    hand: str
    subject: str = ""
    permanent: bool = False


@dataclass(repr=False, slots=True)
class Wizard:
    """A duellist in a position.

    `letters` has the letters of both hands since the last break, left and right in turn.
    """

    # The wizard's index in the list of wizards.
    seat: int = field(metadata=stored(derived=True))
    id: str = field(init=False, metadata=stored(derived=True))
    name: str
    pronouns: str = field(default="they", metadata=stored(needed=True, options=PRONOUNS))
    damage: int = field(default=0, metadata=stored(needed=True, least=-MAX_SURPLUS_HIT_POINTS))
    standing: str = field(default=STANDING, metadata=stored(options=WIZARD_STANDINGS))
    letters: str = field(default="", metadata=stored(interleaved_keys=("left", "right")))
    # States of the automaton. They follow from the letters, so equality compares only the letters.
    left_state: int = field(default=0, compare=False, metadata=stored(derived=True))
    right_state: int = field(default=0, compare=False, metadata=stored(derived=True))
    effects: dict[str, Effect] = field(default_factory=dict[str, Effect])
    # The id of the banked spell.
    bank: str = ""
    used_bolt: bool = False  # rules: R18
    # Sets made in the last turn, as long as they are needed.
    made: tuple[str, ...] = ()
    # The being that last attacked this wizard while they were blind.
    attacker: str = ""
    # Names of beings known to a blind wizard; None if the wizard can see.
    knows: Mapping[str, str] | None = None
    # Hands that a blind wizard may have charmed, as far as they know. rules: R81
    blind_charms: tuple[WizardHand, ...] = field(default=(), metadata=stored("charming"))
    # The pattern of the banked spell, if the ruleset needs it later.
    bank_pattern: str = ""
    # The subject banked with the spell, in rulesets that bank one. rules: W34
    bank_subject: str = ""
    # The hand that was paralysed in the last row.
    held: str = field(default="", metadata=stored(options=("", "L", "R")))
    # A permanent mind spell, which acts whenever no other one is waiting.
    lasting: Mapping[str, Effect] = field(default_factory=_no_effects)
    # Whether the wizard has surrendered: they leave when the turn ends, and cannot be raised.
    yielded: bool = False
    # Guards of the last normal turn, which also apply in its hasted turn. rules: W11
    guards: tuple[str, ...] = field(default=(), metadata=stored(options=GUARDS_KEPT_WITH_HASTE))

    def copy(self) -> "Wizard":
        """Return a copy that shares only values that no turn changes in place."""
        new = Wizard.__new__(Wizard)
        new.seat = self.seat
        new.id = self.id
        new.name = self.name
        new.pronouns = self.pronouns
        new.damage = self.damage
        new.standing = self.standing
        new.letters = self.letters
        new.left_state = self.left_state
        new.right_state = self.right_state
        new.effects = self.effects.copy()
        new.bank = self.bank
        new.used_bolt = self.used_bolt
        new.made = self.made
        new.attacker = self.attacker
        new.knows = self.knows
        new.blind_charms = self.blind_charms
        new.bank_pattern = self.bank_pattern
        new.bank_subject = self.bank_subject
        new.held = self.held
        new.lasting = self.lasting
        new.yielded = self.yielded
        new.guards = self.guards
        return new

    def __post_init__(self) -> None:
        self.id = wizard_id(self.seat)

    @property
    def left(self) -> str:
        """Letters of the left hand since the last break."""
        return self.letters[::2]

    @property
    def right(self) -> str:
        """Letters of the right hand since the last break."""
        return self.letters[1::2]

    def damage_limit(self, rules: Ruleset) -> int:
        """Return the damage at which the wizard dies. rules: R109"""
        return rules.wizard_hit_points

    def __repr__(self) -> str:
        return f"<Wizard {self.id} {self.name} damage={self.damage} {self.left}/{self.right}>"


@dataclass(repr=False, slots=True)
class Monster:
    """A monster, alive or a corpse. Destroyed ones are not in the position. rules: R56"""

    id: str
    kind: str = field(metadata=stored(options=tuple(MONSTER_KINDS)))
    name: str
    # The id of the wizard that the monster obeys, or "" if it obeys nobody. rules: R73
    controller: str = ""
    damage: int = field(default=0, metadata=stored(least=-MAX_SURPLUS_HIT_POINTS))
    state: str = field(default=ALIVE, metadata=stored(options=(ALIVE, CORPSE)))
    effects: dict[str, Effect] = field(default_factory=dict[str, Effect])
    # The last victim that the current controller ordered. rules: R170
    victim: str = ""
    # Victims attacked in the last turn, kept for the extra turn.
    made: tuple[str, ...] = ()
    # A permanent mind spell, which acts whenever no other one is waiting.
    lasting: Mapping[str, Effect] = field(default_factory=_no_effects)
    # A mind spell for its next attack, which a time stop has delayed.
    waiting: dict[str, Effect] = field(default_factory=dict[str, Effect])
    # Whether a permanent confusion was renewed since its last attack. rules: R213
    keeps_victim: bool = False
    # Whether the monster has been raised, so that even an elemental leaves a corpse. rules: R209
    raised: bool = False
    # Guards of the last normal turn, which also apply in its hasted turn. rules: W11
    guards: tuple[str, ...] = field(default=(), metadata=stored(options=GUARDS_KEPT_WITH_HASTE))

    def copy(self) -> "Monster":
        """Return a copy that shares only values that no turn changes in place."""
        new = Monster.__new__(Monster)
        new.id = self.id
        new.kind = self.kind
        new.name = self.name
        new.controller = self.controller
        new.damage = self.damage
        new.state = self.state
        new.effects = self.effects.copy()
        new.victim = self.victim
        new.made = self.made
        new.lasting = self.lasting
        new.waiting = self.waiting.copy()
        new.keeps_victim = self.keeps_victim
        new.raised = self.raised
        new.guards = self.guards
        return new

    def damage_limit(self, rules: Ruleset) -> int:
        """Return the damage at which the monster dies."""
        return rules.monsters[self.kind].limit

    @property
    def is_elemental(self) -> bool:
        return bool(MONSTER_KINDS[self.kind].element)

    def __repr__(self) -> str:
        return f"<Monster {self.id} {self.kind} of {self.controller or 'nobody'}>"


@dataclass(repr=False, slots=True)
class Position:
    """A duel between two turns."""

    ruleset: str
    turn: int = field(default=1, metadata=stored(needed=True))
    # By seat.
    wizards: list[Wizard] = field(default_factory=list[Wizard], metadata=stored(needed=True))
    # In order of creation.
    monsters: list[Monster] = field(default_factory=list[Monster])
    # The number of monsters made in this duel, including those that are gone.
    created: int = 0
    options: tuple[str, ...] = ()
    # "extra": a turn of the beings in `stopped`; "haste": a turn of hasted wizards.
    kind: str = field(default=NORMAL, metadata=stored(options=(NORMAL, EXTRA, HASTE)))
    stopped: tuple[str, ...] = ()
    # "" while the duel runs, then the winner's id or "draw".
    outcome: str = ""
    # Wizards who have resigned, forfeited or been removed since the last turn. Orders may still
    # name them.
    left_now: tuple[str, ...] = ()
    # Whether the normal turn's hasted turn was already played before this extra turn. rules: W12
    was_hasted: bool = False
    # Spells aimed in this turn's haste phase.
    pending: tuple[PendingCast, ...] = ()
    # The rules that apply: a published ruleset with the options of the duel or, in a dry run, a
    # reading of one.
    rules: Ruleset = field(init=False, compare=False, metadata=stored(derived=True))

    def copy(self) -> "Position":
        """Return a copy that shares only values that no turn changes in place."""
        new = Position.__new__(Position)
        new.ruleset = self.ruleset
        new.turn = self.turn
        new.wizards = []
        for wizard in self.wizards:  # quicker than a list comprehension, as there are few
            new.wizards.append(wizard.copy())
        new.monsters = []
        for monster in self.monsters:
            new.monsters.append(monster.copy())
        new.created = self.created
        new.options = self.options
        new.kind = self.kind
        new.stopped = self.stopped
        new.outcome = self.outcome
        new.left_now = self.left_now
        new.was_hasted = self.was_hasted
        new.pending = self.pending
        new.rules = self.rules
        return new

    def __post_init__(self) -> None:
        self.rules = rules_with_options(self.ruleset, self.options)

    def switch_ruleset(self, ruleset: str) -> None:
        """Switch to this ruleset, or to this reading of one. Raises KeyError."""
        self.rules = rules_with_options(ruleset, self.options)
        self.ruleset = ruleset

    def wizard(self, id: str) -> Wizard:
        """Return the wizard with that id. Raises KeyError."""
        try:
            return self.wizards[SEATS[id]]
        except IndexError:
            raise KeyError(id) from None

    def being(self, id: str) -> Wizard | Monster | None:
        """Return the wizard or monster with that id, alive or a corpse; None if there is none."""
        if id in SEATS:
            try:
                return self.wizards[SEATS[id]]
            except IndexError:
                return None
        if len(self.monsters) > MAX_LINEAR_SEARCH and is_monster(id) and id[1:].isdecimal():
            number = monster_number(id)
            place = bisect_left(self.monsters, number, key=lambda each: monster_number(each.id))
            if place < len(self.monsters) and self.monsters[place].id == id:
                return self.monsters[place]
        for monster in self.monsters:
            if monster.id == id:
                return monster
        return None

    def ignores_effect(self, effect: Effect) -> bool:
        """Return whether the effect is too old to count in this time-stopped turn. rules: W12"""
        if self.kind != EXTRA or effect.first == self.turn:
            return False
        return self.rules.time_stop is TIME_STOP_IN_OWN_TURN

    def wizards_in_duel(self) -> list[Wizard]:
        """Return the wizards still in the duel, by seat."""
        return [wizard for wizard in self.wizards if wizard.standing == STANDING]

    def next_opponent(self, wizard: str) -> str:
        """Return the next wizard still in the duel after this one, by seat, or "". rules: R13"""
        after = SEATS[wizard] + 1
        for other in (*self.wizards[after:], *self.wizards[: after - 1]):
            if other.standing == STANDING:
                return other.id
        return ""

    def first_opponent(self, wizard: str) -> str:
        """Return the first other wizard still in the duel, by seat, or ""."""
        for other in self.wizards:
            if other.standing == STANDING and other.id != wizard:
                return other.id
        return ""

    def __repr__(self) -> str:
        return f"<Position {self.ruleset} turn {self.turn} {self.kind} {self.wizards}>"


def rules_with_options(ruleset: str, options: tuple[str, ...]) -> Ruleset:
    """Return the rules of a duel with these options, or of a reading. Raises KeyError."""
    rules = RULESETS.get(ruleset) or readings.find_ruleset(ruleset, RULESETS)
    return rules.under(options) if options else rules


def interleaved_letters(left: str, right: str) -> str:
    """Return the letters of both hands interleaved. Raises ValueError if the lengths differ."""
    return "".join([a + b for a, b in zip(left, right, strict=True)])


def hand_states(rules: Ruleset, left: str, right: str) -> tuple[int, int]:
    """Return the automaton's states after these letters of both hands."""
    return rules.automaton.run(SYMBOLS_OF_PAIR[a + b] for a, b in zip(left, right, strict=True))


def can_make_gestures(position: Position, wizard: Wizard) -> bool:
    """Return whether a wizard in the duel gestures in the coming turn. rules: R97, R98, W8"""
    if position.kind == HASTE:
        return is_effect_active(wizard, position.rules.hastening, position.turn)
    return position.kind != EXTRA or wizard.id in position.stopped


def is_effect_active(being: Wizard | Monster, kind: str, turn: int) -> bool:
    """Return whether that effect is active on the being on that turn."""
    effect = being.effects.get(kind)
    return effect is not None and effect.first <= turn <= effect.last
