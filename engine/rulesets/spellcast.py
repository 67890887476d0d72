"""Andrew Plotkin's X11 program: all choices except gestures are made after the reveal."""

from dataclasses import replace
from typing import Final

from engine.rulesets import choices
from engine.rulesets.ruleset import make_ruleset
from engine.spellbook import (
    BARTLE_SPELLBOOK,
    STAB_ROW,
    AffectedBeings,
    DefaultSubject,
    Duration,
    FieldChanges,
    LegalSubjects,
    revised_spellbook,
)

_ONLY_AT_WIZARDS: Final[FieldChanges] = {"legal": LegalSubjects.WIZARDS}
_WINDOW_CHANGES: Final[FieldChanges] = {
    "legal": LegalSubjects.WIZARDS,
    "lasts": Duration.THREE_TURNS,
}  # rules: R102

REFLECTED_SPELLS: Final = (
    "missile", "finger_of_death", "lightning_bolt", "cause_light_wounds", "cause_heavy_wounds",
    "fireball", "amnesia", "confusion", "charm_person", "charm_monster", "paralysis", "fear",
    "anti_spell", "disease", "poison", "blindness",
)  # fmt: skip
"""The harmful spells that a mirror sends back. rules: R40"""

SPELLCAST_SPELLBOOK: Final = revised_spellbook(
    tuple(
        replace(
            spell, on_corpses=spell.id == "raise_dead", reflectable=spell.id in REFLECTED_SPELLS
        )
        for spell in BARTLE_SPELLBOOK
    ),
    {
        "dispel_magic": {"legal": LegalSubjects.WIZARDS, "nowhere": False},
        "counter_spell": {"default": DefaultSubject.OPPONENT},
        "raise_dead": {"nowhere": False},
        "summon_goblin": _ONLY_AT_WIZARDS,
        "summon_ogre": _ONLY_AT_WIZARDS,
        "summon_troll": _ONLY_AT_WIZARDS,
        "summon_giant": _ONLY_AT_WIZARDS,
        "summon_elemental": _ONLY_AT_WIZARDS,
        "charm_monster": {"works": AffectedBeings.MONSTERS},
        "anti_spell": _ONLY_AT_WIZARDS,
        "delayed_effect": _WINDOW_CHANGES,
        "permanency": _WINDOW_CHANGES,
    },
)

SPELLCAST_STAB: Final = replace(
    STAB_ROW, legal=LegalSubjects.ANY, nowhere=True, on_corpses=False, on_dead_wizards=False
)

SPELLCAST_1: Final = make_ruleset(
    "spellcast-1",
    name="Spellcast",
    description="For those who like to aim after the gestures are shown: Andrew Plotkin’s game.",
    spells=SPELLCAST_SPELLBOOK,
    order_of_play=choices.STEPWISE,
    asking=choices.QuestionMode.AT_EVERY_STEP,
    haste=choices.HasteMode.OWN_PHASE,
    minds=choices.MindTiming.NEXT_ROW,
    confused="PDFWCS",
    illness_spares_the_surrendering=False,
    stopped_sight=choices.StoppedSightMode.OWN,
    opponent=choices.OpponentRule.LOWEST_SEAT,
    stab=SPELLCAST_STAB,
    two_stabs=choices.TwoStabs.LEFT,
    subjects_to_come=False,
    unordered=choices.DefaultVictim.OPPONENT,
    full_bank=choices.FullBank.REPLACES,
    spent_fizzles=True,
    removal_unmakes_summons=False,
    blind_sense_spells=True,
    monsters_direct_reflections=False,
    opening=("scrolls", "dispelled", "broken"),
)
