"""Archmage's telling: the caster picks the element, and a time stop gives three extra actions."""

from typing import Final

from engine.rulesets.ruleset import make
from engine.spellbook import BARTLE, Legal, revised

ARCHMAGE: Final = revised(BARTLE, {"anti_spell": {"legal": Legal.OPPONENTS}})

ARCHMAGE_1: Final = make(
    "archmage-1",
    name="Archmage",
    description="Archmage's telling: stricter minds, and a time stop of three extra actions.",
    spells=ARCHMAGE,
)
