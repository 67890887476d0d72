"""Archmage's version: casters choose elements, and a time stop gives three extra actions."""

from typing import Final

from engine.rulesets.ruleset import make_ruleset
from engine.spellbook import BARTLE, AffectedBeings, Change, Duration, LegalSubjects, revised

_EARTHLY: Final[Change] = {"works": AffectedBeings.EARTHLY}

ARCHMAGE: Final = revised(
    BARTLE,
    {
        "remove_enchantment": _EARTHLY,
        "raise_dead": {"on_dead_wizards": False, "counterable": False},  # rules: R54, R207
        "anti_spell": {"legal": LegalSubjects.OPPONENTS},
        "blindness": _EARTHLY,
        "invisibility": _EARTHLY,
        "time_stop": {"lasts": Duration.THREE_TURNS},
    },
)

ARCHMAGE_1: Final = make_ruleset(
    "archmage-1",
    name="Archmage",
    description="For experienced players: Archmage’s stricter mind spells, and longer time stops.",
    spells=ARCHMAGE,
    opening=("facing", "alone"),
    subject_picks_element=False,
    removal_unmakes_summons=False,
    elementals_merge=False,
    minds_in_force_cancel=True,
    release_ignores_counter=True,
)
