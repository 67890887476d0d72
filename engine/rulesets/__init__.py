"""Rulesets as values: a spellbook, its automaton and named options. Ids carry a version.

A published version is never withdrawn or changed; changed behaviour gets a new version.
"""

from collections.abc import Mapping
from typing import Final

from engine.rulesets.archmage import ARCHMAGE_1
from engine.rulesets.ruleset import Ruleset, make_ruleset
from engine.rulesets.spellcast import SPELLCAST_1
from engine.rulesets.warlocks import WARLOCKS_1
from engine.rulesets.wizards import WIZARDS_1
from engine.spellbook import BARTLE_SPELLBOOK

BARTLE_1: Final = make_ruleset(
    "bartle-1",
    name="Bartle",
    description="Recommended for first duels: Richard Bartle’s original Waving Hands, 39 spells.",
    spells=BARTLE_SPELLBOOK,
)

RULESETS: Final[Mapping[str, Ruleset]] = {
    ruleset.id: ruleset for ruleset in (BARTLE_1, SPELLCAST_1, WIZARDS_1, ARCHMAGE_1, WARLOCKS_1)
}
"""All published rulesets, by id."""
