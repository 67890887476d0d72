"""The structure of a ruleset. Each rule on which sources differ is a named field."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

from engine.gestures import Automaton, build, is_two_handed
from engine.rulesets.choices import (
    NUMBERED,
    SEALED,
    STEPWISE,
    CaptureRule,
    DefaultVictim,
    FullBank,
    HandNamingTime,
    HasteMode,
    MindTiming,
    MissRule,
    OpponentRule,
    Preference,
    QuestionMode,
    StoppedSightMode,
    TimeStopMode,
    TwoStabs,
)
from engine.rulesets.limits import unsupported_points, unsupported_values
from engine.rulesets.rows import (
    SINGLE,
    OwningPhase,
    owner,
    single,
    unsupported_kinds,
    unsupported_rows,
)
from engine.spellbook import (
    MONSTER_KINDS,
    STAB_ROW,
    CasterDecision,
    Duration,
    Guard,
    HandEffect,
    MonsterKind,
    Spell,
    VictimEffect,
)


@dataclass(frozen=True, slots=True)
class Completable:
    """One pattern of one spell that a hand can complete."""

    spell: Spell
    pattern: str
    both: bool  # the last gesture uses up both hands. rules: R4
    once: bool  # can be cast once in a duel. rules: R18


def _longest_first(end: Completable) -> tuple[int, int]:
    return -len(end.pattern), not end.both


def _both_hands_first(end: Completable) -> tuple[int, int]:
    return not end.both, -len(end.pattern)


RANKS: Final[Mapping[Preference, Callable[[Completable], tuple[int, int]]]] = {
    Preference.LONGEST: _longest_first,
    Preference.BOTH_HANDS: _both_hands_first,
}
"""Sort keys for completed spells: the lowest comes first, and the left hand's if equal.

rules: R7, W2
"""


HOLDS: Final = tuple(HandEffect)


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A complete set of rules. Every field except the first three settles one point."""

    id: str
    name: str
    description: str
    spells: Mapping[str, Spell]
    automaton: Automaton  # its begun sequences have the fewest missing first
    completables: tuple[Completable, ...]  # by the automaton's pattern number
    ends: tuple[tuple[Completable, ...], ...]  # by automaton state; preferred first
    asks: tuple[bool, ...]  # by state: one more gesture may complete a spell that asks a question
    order_of_play: str = SEALED  # the phases of a turn: see `resolve.ORDERS_OF_PLAY`
    gesture_names: Mapping[str, str] = field(
        default_factory=dict[str, str]
    )  # its own names of gestures, by letter. R20
    order_of_log: tuple[str, ...] = ()  # ids of spells in the order of reports; () by seat. R26
    subject_picks_element: bool = True  # otherwise the caster does. rules: R63
    removal_unmakes_summons: bool = True  # those for the same wizard this turn. rules: R51
    elementals_merge: bool = True  # two of a kind; otherwise one is destroyed. rules: R65
    minds_in_force_cancel: bool = False  # an active mind spell stops another kind. rules: R78
    release_ignores_counter: bool = False  # a counter-spell does not stop it. rules: R105
    misses: MissRule = MissRule.DAMAGE  # actions at an unseen subject that fail. rules: R95, W33
    blind_sense_spells: bool = False  # the blind see all but gestures. rules: R94
    unseen_casts_told: bool = True  # otherwise only their effects. W33
    opening: tuple[str, ...] = ("facing", "dispelled", "broken")  # first lines of a report. R115
    markers: bool = False  # the winner takes the losers' markers. rules: R114
    asking: QuestionMode = QuestionMode.AFTER_MAGIC  # questions after the reveal. rules: R9
    haste: HasteMode = HasteMode.TWO_SETS  # extra sets of the hasted. rules: R97, W9
    minds: MindTiming = MindTiming.BY_TURN  # when mind spells act. rules: R79, R168, W16
    paralysed: Mapping[str, str] = field(
        default_factory=lambda: {"C": "F", "S": "D", "W": "P"}
    )  # what a held hand makes instead of these letters; it repeats all others. rules: R80
    under_fear: str = "PW>-"  # the letters of a frightened hand. rules: R87
    confused: str = "CDFPSW"  # letters on the die of a confusion. spell:confusion
    stopped_sight: StoppedSightMode = StoppedSightMode.EACH_OTHER  # visible hands. rules: R121
    opponent: OpponentRule = OpponentRule.NEXT_SEAT  # if no target is named. rules: R13
    stab: Spell = STAB_ROW  # the stab's subjects and damage. rules: R17
    two_stabs: TwoStabs = TwoStabs.REFUSED  # result of two stabs in a set. rules: R16
    subjects_to_come: bool = True  # spells and stabs can target this turn's monsters. rules: R14
    unordered: DefaultVictim = DefaultVictim.LAST_VICTIM  # monsters' victims without orders. R161
    full_bank: FullBank = FullBank.KEEPS  # windows while a spell is banked. rules: R104
    hand_named: HandNamingTime = (
        HandNamingTime.WHEN_IT_WORKS
    )  # when its caster names the hand. rules: R81, W18
    capture: CaptureRule = (
        CaptureRule.WHATEVER_COMES
    )  # what an open window takes. rules: R103, W34, W35
    bank_keeps_subject: bool = False  # otherwise it is named at the release. rules: W34
    bank_is_public: bool = False  # everyone sees what is banked. rules: W34
    hearts_stop: bool = False  # wizards can order their own death. rules: W27
    lasting_minds_repeat: bool = True  # they repeat what they did first. rules: R173
    illness_waits_in_monsters: bool = True  # otherwise they die in the same turn. rules: W31
    illness_spares_the_surrendering: bool = True  # on that turn. rules: R112, W31
    spent_fizzles: bool = False  # one-time spells can be cast again, but fail. rules: R18
    # spells and monsters
    preference: Preference = Preference.LONGEST  # of several completed spells. rules: R7, W2
    dispelled_is_unspent: bool = False  # a dispelled one-time spell is kept. rules: R18, W5
    corpses: bool = True  # killed monsters leave corpses. rules: R56, W1
    early_spells_wait: bool = True  # until this turn's monsters exist. R14, R134, W36
    summons_by_kind: bool = False  # monsters are made in the order of kinds. rules: W38
    mirrors_meet: bool = True  # a spell between two mirrors is lost. R41, W37
    monsters_direct: bool = True  # spells on a hand that a monster's mirror sends back. R43, W37
    newer_elemental_stays: bool = False  # if two of a kind do not merge. rules: R65, W43
    elementals_immune: bool = False  # to spells of the same element. rules: R68, W43
    storms_meet_first: bool = False  # before they meet elementals; otherwise all at once. R66, W44
    can_attack_itself: bool = False  # a monster can. rules: R74, W39
    monsters_outlast_masters: bool = False  # monsters go on attacking. rules: R73, W39
    youngest_die_first: bool = False  # in the order of reports. rules: W40
    keeps_bank: bool = False  # despite removals and dispels. rules: R53, W30, W32
    monsters: Mapping[str, MonsterKind] = field(
        default_factory=lambda: MONSTER_KINDS
    )  # attack and hit points of each kind. rules: spell:summon_goblin to spell:summon_elemental
    # wounds
    wizard_hit_points: int = 15  # damage at which a wizard dies. rules: R109
    surplus: int = 0  # points above the start that cures can give. rules: R30, W4
    cures_first: bool = False  # otherwise cures and damage count together. rules: R30, W4
    # minds
    same_minds_cancel: bool = False  # two mind spells of one kind. rules: R76, W14
    minds_strike_monsters_at_once: bool = False  # otherwise in the next turn. R79, W15
    fear_refuses: bool = True  # otherwise barred letters become idle hands. R87, W24
    anti_spell_blanks: bool = False  # its turn's sets count as idle. rules: R93, W25
    # the end
    death_before_surrender: bool = False  # the only survivor wins. W48
    variants: Mapping[frozenset[str], "Ruleset"] = field(
        default_factory=dict[frozenset[str], "Ruleset"]
    )  # changed rulesets, by the options that change them. rules: W21, W23
    # results of `casting.chosen_by_default` so far
    chosen: dict[int, Any] = field(init=False, compare=False, repr=False)
    illnesses: tuple[str, ...] = field(init=False)  # like all fields below, derived
    resistances: Mapping[str, str] = field(init=False)  # spell ids by element
    destroyers: tuple[Spell, ...] = field(init=False)  # destroy monsters before attacks
    spells_that_ask: frozenset[str] = field(init=False)
    ends_that_ask: tuple[bool, ...] = field(init=False)  # by automaton state
    storms: Mapping[str, str] = field(init=False)  # spell ids by element
    summons: tuple[str, ...] = field(init=False)  # in the order of the book
    strikers: tuple[str, ...] = field(init=False)  # spells and the stab, weakest first
    cures: tuple[str, ...] = field(init=False)  # the weakest first
    slayers: tuple[str, ...] = field(init=False)
    raisers: tuple[str, ...] = field(init=False)
    mind_spells: tuple[str, ...] = field(init=False)  # in the order of the book
    hands_under: Mapping[str, HandEffect] = field(init=False)  # by mind spell on a wizard
    victims_under: Mapping[str, VictimEffect] = field(init=False)  # by mind spell on a monster
    # the spell with this effect, "" if there is none: see `rows.SINGLE`
    shielding: str = field(init=False)
    protecting: str = field(init=False)  # a lasting shield
    countering: str = field(init=False)
    mirroring: str = field(init=False)
    dispelling: str = field(init=False)
    removing: str = field(init=False)
    blinding: str = field(init=False)
    hiding: str = field(init=False)
    hastening: str = field(init=False)
    banking: str = field(init=False)
    extending: str = field(init=False)
    holding: str = field(init=False)
    charming: str = field(init=False)
    breaking: str = field(init=False)
    sacrificing: str = field(init=False)
    stopping: str = field(init=False)
    guarding: Mapping[str, str] = field(init=False)  # spell ids by guard
    windows: tuple[str, ...] = field(init=False)  # delay, then permanency
    binding: frozenset[str] = field(init=False)  # spells that change what hands make, or how often
    time_stop: TimeStopMode = field(init=False)  # see _time_stop(). rules: R98, R99
    acts_before_turns: bool = field(init=False)  # whether it is BEFORE_TURNS. R99

    def __post_init__(self) -> None:
        """Derive the computed fields, and check that the order of play supports the ruleset.

        If Time Stop lasts several turns, it gives an action before each of them; otherwise it gives
        an extra turn. Raises ValueError for unsupported values, with the reason.
        """
        object.__setattr__(self, "chosen", {})
        rank = RANKS[self.preference]
        object.__setattr__(self, "ends", tuple(tuple(sorted(e, key=rank)) for e in self.ends))
        for name, value in (*self._by_spell(), *self._by_rows(), *self._by_minds()):
            object.__setattr__(self, name, value)
        time_stop = self._time_stop()
        object.__setattr__(self, "time_stop", time_stop)
        object.__setattr__(self, "acts_before_turns", time_stop is TimeStopMode.BEFORE_TURNS)
        rows = self.spells.values()
        found = list(unsupported_values(self.order_of_play, partial(getattr, self)))
        found += unsupported_rows(self.order_of_play, rows)
        found += unsupported_kinds(self.monsters)
        found += unsupported_points(self.wizard_hit_points, self.surplus)
        if found:
            raise ValueError(f"{self.id}: {'; '.join(found)}")

    def _by_spell(self) -> Iterator[tuple[str, object]]:
        """Yield the fields that name a spell by its effect, and fields derived from them."""
        named = {name: single(name, self.spells.values()) for name in SINGLE}
        yield from named.items()
        yield "windows", tuple(filter(None, (named["banking"], named["extending"])))
        yield (
            "guarding",
            {
                Guard.SHIELD: named["shielding"],
                Guard.COUNTER: named["countering"],
                Guard.MIRROR: named["mirroring"],
            },
        )

    def _by_rows(self) -> Iterator[tuple[str, object]]:
        """Yield the fields that list spells by the contents of their rows."""
        rows = self.spells.values()
        yield "illnesses", tuple(row.id for row in rows if row.is_illness)
        yield "destroyers", tuple(row for row in rows if row.destroys)
        asking = frozenset(row.id for row in rows if row.asks is not CasterDecision.NOTHING)
        yield "spells_that_ask", asking
        yield "ends_that_ask", tuple(any(end.spell.id in asking for end in e) for e in self.ends)
        yield "resistances", {row.resists: row.id for row in rows if row.resists}
        yield "storms", {row.element: row.id for row in rows if row.element and row.is_area}
        weakest_first = sorted((*rows, self.stab), key=lambda row: row.amount)
        yield (
            "strikers",
            tuple(row.id for row in weakest_first if owner(row) is OwningPhase.STRIKES),
        )
        yield "cures", tuple(row.id for row in weakest_first if owner(row) is OwningPhase.CURES)
        yield "summons", tuple(row.id for row in rows if row.monster)
        yield "slayers", tuple(row.id for row in rows if row.slays)
        yield "raisers", tuple(row.id for row in rows if row.raises)

    def _by_minds(self) -> Iterator[tuple[str, object]]:
        """Yield the fields for the effects of mind spells on hands and monsters."""
        rows = self.spells.values()
        yield "mind_spells", tuple(row.id for row in rows if row.mind)
        hands = {row.id: row.hands for row in rows if row.hands is not HandEffect.FREE}
        yield "hands_under", hands
        yield "binding", frozenset({*hands, single("hastening", rows)})
        hardest_first = sorted(rows, key=lambda row: HOLDS.index(row.hands))
        victims = ((row.id, row.victims) for row in hardest_first)
        yield (
            "victims_under",
            {id: kept for id, kept in victims if kept is not VictimEffect.ORDERED},
        )

    def _time_stop(self) -> TimeStopMode:
        """Return the place of the extra turns of time-stopped wizards. rules: R98, R99, W12"""
        if self.stopping and self.spells[self.stopping].lasts is not Duration.INSTANT:
            return TimeStopMode.BEFORE_TURNS
        if self.order_of_play == STEPWISE:
            return TimeStopMode.OWN_PHASE
        if self.order_of_play == NUMBERED:
            return TimeStopMode.OWN_TURN
        return TimeStopMode.AFTER_TURN

    @property
    def options(self) -> tuple[str, ...]:
        """The duel options that change the rules under this ruleset."""
        return tuple(sorted(frozenset[str]().union(*self.variants)))

    def under(self, options: Collection[str]) -> "Ruleset":
        """Return the rules of a duel with these options, not all of which need to change rules."""
        if not self.variants:
            return self
        in_force = frozenset(option for option in options if option in self.options)
        return self.variants[in_force] if in_force else self


def with_spell(ruleset: Ruleset, id: str, spell: Spell) -> Ruleset:
    """Return the ruleset with a spell replaced by another with the same gestures."""
    assert ruleset.spells[id].patterns == spell.patterns

    def put(end: Completable) -> Completable:
        return replace(end, spell=spell) if end.spell.id == id else end

    return replace(
        ruleset,
        spells={
            (spell.id if row.id == id else row.id): (spell if row.id == id else row)
            for row in ruleset.spells.values()
        },
        completables=tuple(map(put, ruleset.completables)),
        ends=tuple(tuple(map(put, ends)) for ends in ruleset.ends),
    )


def make(
    id: str, *, name: str, description: str, spells: Sequence[Spell], **switches: Any
) -> Ruleset:
    """Return a ruleset with these spells, in the book's order. `switches` sets other fields.

    Raises ValueError if two spells share an id or a pattern.
    """
    patterns = [(spell, pattern) for spell in spells for pattern in spell.patterns]
    if len({pattern for _, pattern in patterns}) != len(patterns):
        raise ValueError(f"{id}: two spells share a pattern")
    if len({spell.id for spell in spells}) != len(spells):
        raise ValueError(f"{id}: two spells share an id")
    automaton = _in_order(build([pattern for _, pattern in patterns]), patterns)
    completables = tuple(
        Completable(spell, pattern, is_two_handed(pattern), pattern == spell.once_by)
        for spell, pattern in patterns
    )
    return Ruleset(
        id=id,
        name=name,
        description=description,
        spells={spell.id: spell for spell in spells},
        automaton=automaton,
        completables=completables,
        ends=tuple(tuple(completables[n] for n in state) for state in automaton.completes),
        asks=tuple(
            any(completables[n].spell.asks is not CasterDecision.NOTHING for n in reach)
            for reach in automaton.reach
        ),
        **switches,
    )


def _in_order(automaton: Automaton, patterns: Sequence[tuple[Spell, str]]) -> Automaton:
    """Return the automaton with the begun sequences of each state sorted, fewest missing first."""

    def rank(row: tuple[int, int]) -> tuple[int, int, str]:
        number, done = row
        spell, pattern = patterns[number]
        return len(pattern) - done, -done, spell.id

    return replace(
        automaton, begun=tuple(tuple(sorted(rows, key=rank)) for rows in automaton.begun)
    )
