"""What a ruleset is made of. A rule on which sources differ is a named field here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.gestures import Automaton, build, is_two_handed
from engine.spellbook import Spell

SEALED = "sealed"
"""The order of play in which everything is written before the reveal."""


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
    automaton: Automaton
    completables: tuple[Completable, ...]  # by the automaton's pattern number
    ends: tuple[tuple[Completable, ...], ...]  # by automaton state; preferred first
    asks: tuple[bool, ...]  # by state: one more gesture may complete a spell that asks a question
    order_of_play: str = SEALED  # which phases make a turn: see `resolve.PLAYS`
    subject_picks_element: bool = True  # rules: R63
    removal_unmakes_summons: bool = True  # rules: R51


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
    automaton = build([pattern for _, pattern in patterns])
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
