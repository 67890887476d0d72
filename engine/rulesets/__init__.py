"""Rulesets are values: a spellbook, its automaton and named options. Ids carry a version.

A published version is never withdrawn or changed; a change of behaviour is a new version.
"""

from collections.abc import Mapping
from typing import Final

from engine.rulesets.ruleset import Ruleset, make
from engine.spellbook import BARTLE

BARTLE_1: Final = make(
    "bartle-1",
    name="Bartle",
    description="Richard Bartle's Waving Hands as he published it: 39 spells, everything sealed.",
    spells=BARTLE,
)

RULESETS: Final[Mapping[str, Ruleset]] = {ruleset.id: ruleset for ruleset in (BARTLE_1,)}

__all__ = ["BARTLE_1", "RULESETS", "Ruleset", "make"]
