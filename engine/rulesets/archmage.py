"""Archmage's version: casters choose elements, and a time stop gives three extra actions."""

from typing import Final

from engine import spellbook
from engine.rulesets.ruleset import make_ruleset

_SPARES_ELEMENTALS: Final[spellbook.FieldChanges] = {"works": spellbook.AffectedBeings.EARTHLY}

ARCHMAGE_SPELLBOOK: Final = spellbook.revised_spellbook(
    spellbook.BARTLE_SPELLBOOK,
    {
        "remove_enchantment": _SPARES_ELEMENTALS,
        "raise_dead": {"on_dead_wizards": False, "counterable": False},  # rules: R54, R207
        "anti_spell": {"legal": spellbook.LegalSubjects.OPPONENTS},
        "blindness": _SPARES_ELEMENTALS,
        "invisibility": _SPARES_ELEMENTALS,
        "time_stop": {"lasts": spellbook.Duration.THREE_TURNS},
    },
)

ARCHMAGE_1: Final = make_ruleset(
    "archmage-1",
    name="Archmage",
    description="For experienced players: Archmage’s stricter mind spells, and longer time stops.",
    spells=ARCHMAGE_SPELLBOOK,
    opening=("facing", "alone"),
    subject_picks_element=False,
    removal_unmakes_summons=False,
    elementals_merge=False,
    minds_in_force_cancel=True,
    release_ignores_counter=True,
)
