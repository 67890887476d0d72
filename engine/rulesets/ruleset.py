"""What a ruleset is made of. A rule on which sources differ is a named field here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from engine.gestures import Automaton, build, is_two_handed
from engine.rulesets.choices import (
    SEALED,
    STEPWISE,
    Asking,
    FullBank,
    Haste,
    Minds,
    Opponent,
    StoppedSight,
    TimeStop,
    TwoStabs,
    Unordered,
)
from engine.rulesets.limits import refusals
from engine.spellbook import STAB_ROW, Asks, Lasts, Spell


@dataclass(frozen=True, slots=True)
class Completable:
    """One pattern of one spell: what a hand completes."""

    spell: Spell
    pattern: str
    both: bool  # the last gesture uses up both hands. rules: R4
    once: bool  # can be cast once in a battle. rules: R18


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A way to play. Every field but the first three answers one rule question."""

    id: str
    name: str
    description: str
    spells: Mapping[str, Spell]
    automaton: Automaton  # what has been begun in a state: fewest gestures missing first
    completables: tuple[Completable, ...]  # by the automaton's pattern number
    ends: tuple[tuple[Completable, ...], ...]  # by automaton state; preferred first
    asks: tuple[bool, ...]  # by state: one more gesture may complete a spell that asks a question
    order_of_play: str = SEALED  # which phases make a turn: see `resolve.PLAYS`
    gesture_names: Mapping[str, str] = field(
        default_factory=dict[str, str]
    )  # its own, by letter. R20
    order_of_log: tuple[str, ...] = ()  # casts are told in this order of spells; () by seat. R26
    subject_picks_element: bool = True  # of an elemental summoned; else its caster. rules: R63
    removal_unmakes_summons: bool = True  # made on the same wizard this turn. rules: R51
    elementals_merge: bool = True  # two of one kind are one; else the newer is destroyed. R65
    minds_in_force_cancel: bool = False  # a mind spell at work voids another kind. rules: R78
    release_ignores_counter: bool = False  # a counter-spell does not stop it. rules: R105
    blind_sense_spells: bool = False  # they are told all but gestures. rules: R94
    opening: tuple[str, ...] = ("facing", "dispelled", "broken")  # what is told first. R115
    markers: bool = False  # the winner takes the losers' markers. rules: R114
    asking: Asking = Asking.AFTER_MAGIC  # what is asked after the reveal. rules: R9
    haste: Haste = Haste.TWO_SETS  # what the hasted make more of. rules: R97
    minds: Minds = Minds.BY_TURN  # when spells upon the mind act. rules: R79, R168
    paralysed: Mapping[str, str] = field(
        default_factory=lambda: {"C": "F", "S": "D", "W": "P"}
    )  # what a held hand makes of these letters; the others stay. rules: R80
    under_fear: str = "PW>-"  # the letters of a frightened hand. rules: R87
    confused: str = "CDFPSW"  # what the letter die of a confusion shows. spell:confusion
    stopped_sight: StoppedSight = StoppedSight.EACH_OTHER  # in an extra turn. rules: R121
    opponent: Opponent = Opponent.NEXT_SEAT  # where nobody is named. rules: R13
    stab: Spell = STAB_ROW  # at whom it may be written, and its damage. rules: R17
    two_stabs: TwoStabs = TwoStabs.REFUSED  # in one set. rules: R16
    subjects_to_come: bool = True  # spells and stabs can go at monsters of this turn. rules: R14
    unordered: Unordered = Unordered.LAST_VICTIM  # whom monsters attack without orders. R161
    full_bank: FullBank = FullBank.KEEPS  # while a spell is banked. rules: R104
    spent_fizzles: bool = False  # what can be cast once completes again, and fails. rules: R18
    illnesses: tuple[str, ...] = field(init=False)  # by the rows, as are the next five
    resistances: Mapping[str, str] = field(init=False)  # the spell, by element
    destroyers: tuple[Spell, ...] = field(init=False)  # that end monsters before they attack
    spells_that_ask: frozenset[str] = field(init=False)
    spells_of_an_element: frozenset[str] = field(init=False)
    storms: Mapping[str, str] = field(init=False)  # the spell, by element
    time_stop: TimeStop = field(init=False)  # when the stopped act: see below. rules: R98, R99
    acts_before_turns: bool = field(init=False)  # that time stop is of this kind. rules: R99

    def __post_init__(self) -> None:
        """A time stop that lasts gives an action before each of its turns; else an extra turn.

        Raises ValueError for what the order of play cannot play, with the reason.
        """
        spell = self.spells.get("time_stop")
        time_stop = TimeStop.AFTER_TURN
        if spell is not None and spell.lasts is not Lasts.INSTANT:
            time_stop = TimeStop.BEFORE_TURNS
        elif self.order_of_play == STEPWISE:
            time_stop = TimeStop.OWN_PHASE
        object.__setattr__(self, "time_stop", time_stop)
        rows = self.spells.values()
        illnesses = tuple(row.id for row in rows if row.is_illness)
        object.__setattr__(self, "illnesses", illnesses)
        destroyers = tuple(row for row in rows if row.destroys)
        object.__setattr__(self, "destroyers", destroyers)
        asking = frozenset(row.id for row in rows if row.asks is not Asks.NOTHING)
        object.__setattr__(self, "spells_that_ask", asking)
        elemental = frozenset(row.id for row in rows if row.element)
        object.__setattr__(self, "spells_of_an_element", elemental)
        resistances = {row.resists: row.id for row in rows if row.resists}
        object.__setattr__(self, "resistances", resistances)
        storms = {row.element: row.id for row in rows if row.element and row.is_area}
        object.__setattr__(self, "storms", storms)
        object.__setattr__(self, "acts_before_turns", time_stop is TimeStop.BEFORE_TURNS)
        if found := list(refusals(self.order_of_play, partial(getattr, self))):
            raise ValueError(f"{self.id}: {'; '.join(found)}")


def make(
    id: str, *, name: str, description: str, spells: Sequence[Spell], **switches: Any
) -> Ruleset:
    """The ruleset of these spells, in the book's order; `switches` are fields of Ruleset.

    Raises ValueError where two spells share an id or a pattern.
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
            any(completables[n].spell.asks is not Asks.NOTHING for n in reach)
            for reach in automaton.reach
        ),
        **switches,
    )


def _in_order(automaton: Automaton, patterns: Sequence[tuple[Spell, str]]) -> Automaton:
    """What has been begun in each state, fewest gestures missing first."""

    def rank(row: tuple[int, int]) -> tuple[int, int, str]:
        number, done = row
        spell, pattern = patterns[number]
        return len(pattern) - done, -done, spell.id

    return replace(
        automaton, begun=tuple(tuple(sorted(rows, key=rank)) for rows in automaton.begun)
    )
