"""What a ruleset is made of. A rule on which sources differ is a named field here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.gestures import Automaton, build, is_two_handed
from engine.spellbook import Lasts, Spell

SEALED = "sealed"
"""The order of play in which everything is written before the reveal."""
STEPWISE = "stepwise"
"""The order of play in which spells, subjects and victims are asked for after the gestures."""


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
    asks_late: bool = field(init=False)  # what is not written is asked after the reveal. rules: R9
    acts_before_turns: bool = field(init=False)  # time stop: see below. rules: R99

    def __post_init__(self) -> None:
        """A time stop that lasts gives an action before each of its turns; else an extra turn."""
        time_stop = self.spells.get("time_stop")
        lasts = time_stop is not None and time_stop.lasts is not Lasts.INSTANT
        object.__setattr__(self, "acts_before_turns", lasts)
        object.__setattr__(self, "asks_late", self.order_of_play == STEPWISE)


ASKING = frozenset({"paralysis", "charm_person", "summon_elemental"})


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
            any(completables[n].spell.id in ASKING for n in reach) for reach in automaton.reach
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
