"""The position between two turns: wizards, monsters and what is in force on them.

Positions hold only what later turns can depend on; the story is in the turns' events. They are
values by habit: only `resolve`, and the calls like it, change one, and only a copy of their own.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.gestures import SYMBOLS
from engine.rulesets import RULESETS, Ruleset, readings
from engine.rulesets.choices import TimeStop
from engine.spellbook import MONSTER_KINDS, WIZARD_LIMIT

FOREVER: Final = 1_000_000
"""The last turn of an effect that lasts until it is removed."""

STANDING, DEAD, SURRENDERED, RESIGNED = "standing", "dead", "surrendered", "resigned"
FORFEITED = "forfeited"  # put out of the duel because their time ran out
REMOVED = "removed"  # put out of the duel by a referee
STANDINGS: Final = (STANDING, DEAD, SURRENDERED, RESIGNED, FORFEITED, REMOVED)
ALIVE, CORPSE = "alive", "corpse"
NORMAL, EXTRA, HASTE = "normal", "extra", "haste"
OWN_TURN: Final = TimeStop.OWN_TURN
DRAW: Final = "draw"
STRICT: Final = "strict"
SACRIFICE: Final = "sacrifice"
"""The house rule that a Sacrifice destroys a monster and does its damage. rules: R24"""
PARAFC, MALADROIT = "parafc", "maladroit"
"""The options that change the rules of Warlocks. rules: W21, W23"""
MAX_SEATS: Final = 8
SEATS: Final = {f"w{seat}": seat for seat in range(MAX_SEATS)}


class Effect(NamedTuple):
    """An enchantment in force: the turns on which it acts, and what it needs to act."""

    first: int
    last: int
    caster: str = ""
    permanent: bool = False
    hand: str = ""  # paralysis, charm person, confusion once fixed
    letter: str = ""  # what that hand must make
    sets: tuple[str, ...] = ()  # amnesia: the sets, or a monster's victims
    unseen_by: tuple[str, ...] = ()  # who knows nothing of it: laid in an extra turn. rules: R121

    def acts(self, turn: int) -> bool:
        """Whether it is active on that turn."""
        return self.first <= turn <= self.last


class BlindCharm(NamedTuple):
    """A hand that a blind wizard may have charmed, as far as they know. rules: R81"""

    subject: str
    hand: str
    is_later: bool = False  # for the turn after the next one. rules: R169

    @property
    def key(self) -> str:
        """How orders name that hand: "w1.L"."""
        return f"{self.subject}.{self.hand}"


class PendingCast(NamedTuple):
    """A spell aimed in a haste phase: it is cast with those of the turn that follows."""

    wizard: str
    spell: str
    pattern: str
    hand: str
    subject: str
    permanent: bool = False


class Wizard:
    """A duellist in a position. `left` and `right` are the letters since the last break."""

    __slots__ = (
        "attacker", "bank", "bank_pattern", "bank_subject", "blind_charms", "damage", "effects",
        "guards", "held", "id", "knows", "lasting", "left", "left_state", "made", "name",
        "pronouns", "right", "right_state", "seat", "standing", "used_bolt", "yielded",
    )  # fmt: skip

    id: str
    seat: int
    name: str
    pronouns: str
    standing: str
    damage: int
    left: str
    right: str
    left_state: int  # the automaton's, derived from the letters
    right_state: int
    effects: dict[str, Effect]
    bank: str  # the banked spell's id
    bank_pattern: str  # how it was made, where that is asked again
    bank_subject: str  # at whom it goes, where the bank keeps that. rules: W34
    used_bolt: bool  # rules: R18
    made: tuple[str, ...]  # sets of the turn just played, kept while they are needed
    held: str  # the hand that a paralysis held in the last row made
    lasting: dict[str, Effect]  # a permanent mind spell: it acts whenever no other waits
    yielded: bool  # made both P: out when the turn ends, and never raised
    attacker: str  # who attacked them last while they were blind
    knows: dict[str, str] | None  # names of the beings known to a blind wizard; None if they see
    blind_charms: tuple[BlindCharm, ...]
    guards: tuple[str, ...]  # of the last normal turn: they hold in its hasted turn. rules: W11

    def copy(self) -> "Wizard":
        new = Wizard.__new__(Wizard)
        new.id = self.id
        new.seat = self.seat
        new.name = self.name
        new.pronouns = self.pronouns
        new.standing = self.standing
        new.damage = self.damage
        new.left = self.left
        new.right = self.right
        new.left_state = self.left_state
        new.right_state = self.right_state
        effects = self.effects
        new.effects = effects.copy() if effects else {}
        new.bank = self.bank
        new.bank_pattern = self.bank_pattern
        new.bank_subject = self.bank_subject
        new.used_bolt = self.used_bolt
        new.made = self.made
        new.held = self.held
        lasting = self.lasting
        new.lasting = lasting.copy() if lasting else {}
        new.yielded = self.yielded
        new.attacker = self.attacker
        new.knows = self.knows
        new.blind_charms = self.blind_charms
        new.guards = self.guards
        return new

    @property
    def limit(self) -> int:
        return WIZARD_LIMIT

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Wizard) and _same(self, other, _TOLD)

    __hash__ = None  # type: ignore[assignment]  # mutable inside resolve, so never a key

    def __repr__(self) -> str:
        return f"<Wizard {self.id} {self.name} damage={self.damage} {self.left}/{self.right}>"


class Monster:
    """A monster, alive or a corpse. A destroyed one is in no position. rules: R56"""

    __slots__ = (
        "controller", "damage", "effects", "guards", "id", "keeps_victim", "kind", "lasting",
        "made", "name", "raised", "state", "victim", "waiting",
    )  # fmt: skip

    id: str
    name: str
    kind: str
    controller: str  # a wizard's id, or "" for nobody. rules: R73
    damage: int
    state: str
    effects: dict[str, Effect]
    victim: str  # the last one its present controller wrote for it. rules: R170
    made: tuple[str, ...]  # victims of the turn just played, kept while its extra turn is played
    lasting: dict[str, Effect]  # a permanent mind spell: it acts whenever no other waits
    waiting: dict[str, Effect]  # a mind spell that a time stop keeps from its next attack
    keeps_victim: bool  # a permanent confusion has been renewed since its last attack. rules: R213
    raised: bool  # from now on even an elemental leaves a corpse. rules: R209
    guards: tuple[str, ...]  # of the last normal turn: they hold in its hasted turn. rules: W11

    def copy(self) -> "Monster":
        new = Monster.__new__(Monster)
        new.id = self.id
        new.name = self.name
        new.kind = self.kind
        new.controller = self.controller
        new.damage = self.damage
        new.state = self.state
        effects = self.effects
        new.effects = effects.copy() if effects else {}
        new.victim = self.victim
        new.made = self.made
        lasting, waiting = self.lasting, self.waiting
        new.lasting = lasting.copy() if lasting else {}
        new.waiting = waiting.copy() if waiting else {}
        new.keeps_victim = self.keeps_victim
        new.raised = self.raised
        new.guards = self.guards
        return new

    @property
    def limit(self) -> int:
        return MONSTER_KINDS[self.kind].limit

    @property
    def is_elemental(self) -> bool:
        return bool(MONSTER_KINDS[self.kind].element)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Monster) and _same(self, other, Monster.__slots__)

    __hash__ = None  # type: ignore[assignment]  # mutable inside resolve, so never a key

    def __repr__(self) -> str:
        return f"<Monster {self.id} {self.kind} of {self.controller or 'nobody'}>"


class Position:
    """A duel between two turns."""

    __slots__ = (
        "created", "kind", "left_now", "monsters", "options", "outcome", "pending", "ruleset",
        "stopped", "turn", "was_hasted", "wizards",
    )  # fmt: skip

    ruleset: str
    options: tuple[str, ...]
    turn: int
    kind: str  # "normal", "extra": the turn of those in `stopped`, or "haste": of the hasted
    was_hasted: bool  # this extra turn comes after the hasted one, of which there is one. W12
    stopped: tuple[str, ...]
    outcome: str  # "" while the duel runs, a wizard's id, or "draw"
    wizards: list[Wizard]  # by seat
    monsters: list[Monster]  # by creation
    created: int  # monsters made in this battle, whatever became of them
    left_now: tuple[str, ...]  # by resigning and so on since the last turn: orders may name them
    pending: tuple[PendingCast, ...]  # aimed in the haste phase of this turn

    def copy(self) -> "Position":
        new = Position.__new__(Position)
        new.ruleset = self.ruleset
        new.options = self.options
        new.turn = self.turn
        new.kind = self.kind
        new.stopped = self.stopped
        new.outcome = self.outcome
        new.wizards = [wizard.copy() for wizard in self.wizards]
        monsters = self.monsters
        new.monsters = [monster.copy() for monster in monsters] if monsters else []
        new.created = self.created
        new.left_now = self.left_now
        new.pending = self.pending
        new.was_hasted = self.was_hasted
        return new

    @property
    def rules(self) -> Ruleset:
        """What it is played by: a published ruleset with the options of the duel or, in a dry
        run, a reading of one."""
        try:
            rules = RULESETS[self.ruleset]
        except KeyError:
            rules = readings.find(self.ruleset, RULESETS)
        return rules.under(self.options) if self.options else rules

    def wizard(self, id: str) -> Wizard:
        """The wizard of that id. Raises KeyError."""
        seat = SEATS[id]
        if seat >= len(self.wizards):
            raise KeyError(id)
        return self.wizards[seat]

    def being(self, id: str) -> Wizard | Monster | None:
        """The wizard or monster of that id, alive or a corpse; None if there is none."""
        seat = SEATS.get(id)
        if seat is not None:
            return self.wizards[seat] if seat < len(self.wizards) else None
        for monster in self.monsters:
            if monster.id == id:
                return monster
        return None

    def sets_aside(self, effect: Effect) -> bool:
        """Whether the effect does not count in this turn of the time-stopped, being older than it.

        rules: W12
        """
        if self.kind != EXTRA or effect.first == self.turn:
            return False
        return self.rules.time_stop is OWN_TURN

    def standing(self) -> list[Wizard]:
        """The wizards still in the duel, by seat."""
        return [wizard for wizard in self.wizards if wizard.standing == STANDING]

    def next_opponent(self, wizard: str) -> str:
        """The next standing wizard in seat order after this one, or "". rules: R13"""
        seats = self.wizards
        start = SEATS[wizard]
        for step in range(1, len(seats)):
            other = seats[(start + step) % len(seats)]
            if other.standing == STANDING:
                return other.id
        return ""

    def first_opponent(self, wizard: str) -> str:
        """The lowest-seated standing wizard but this one, or ""."""
        for other in self.wizards:
            if other.standing == STANDING and other.id != wizard:
                return other.id
        return ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and _same(self, other, Position.__slots__)

    __hash__ = None  # type: ignore[assignment]  # mutable inside resolve, so never a key

    def __repr__(self) -> str:
        return f"<Position {self.ruleset} turn {self.turn} {self.kind} {self.wizards}>"


_TOLD: Final = tuple(s for s in Wizard.__slots__ if s not in ("left_state", "right_state"))
"""What makes two wizards equal: the states follow from the letters, for all that can come."""


def _same(one: object, other: object, slots: Sequence[str]) -> bool:
    return all(getattr(one, slot) == getattr(other, slot) for slot in slots)


def hand_states(rules: Ruleset, left: str, right: str) -> tuple[int, int]:
    """The automaton's states after these letters of both hands."""
    return rules.automaton.run(SYMBOLS[a + b] for a, b in zip(left, right, strict=True))


def makes_row(position: Position, wizard: Wizard) -> bool:
    """Whether a wizard who stands gestures in the turn or phase to come. rules: R97, R98, W8"""
    if position.kind == HASTE:
        return effect_acts(wizard, "haste", position.turn)
    return position.kind != EXTRA or wizard.id in position.stopped


def effect_acts(being: Wizard | Monster, kind: str, turn: int) -> bool:
    """Whether that effect is active on the being on that turn."""
    effect = being.effects.get(kind)
    return effect is not None and effect.first <= turn <= effect.last
