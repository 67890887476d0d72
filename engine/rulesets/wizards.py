"""A. A. van Zoelen's WIZARDS: 41 spells, each with a target, and markers to win."""

from dataclasses import replace
from typing import Final

from engine import spellbook
from engine.rulesets.ruleset import make_ruleset

_ELEMENTAL_SPELLS: Final = tuple(
    spellbook.Spell(
        f"summon_{kind}_elemental",
        f"Summon {kind.title()} Elemental",
        (pattern,),
        spellbook.SpellClass.SUMMONS,
        spellbook.DefaultSubject.SELF,
        spellbook.AffectedBeings.EARTHLY,
        monster=kind,
        on_corpses=False,
        nowhere=False,
    )
    for kind, pattern in (("ice", "cSWWS"), ("fire", "cWSSW"))
)
_SACRIFICE: Final = spellbook.Spell(
    "sacrifice",
    "Sacrifice",
    ("DWFFd",),
    spellbook.SpellClass.DAMAGING,
    spellbook.DefaultSubject.OPPONENT,
    nowhere=False,
    gives_up=True,
)

WIZARDS_SPELLBOOK: Final = spellbook.revised_spellbook(
    tuple(replace(spell, nowhere=False) for spell in spellbook.BARTLE_SPELLBOOK),
    {
        "remove_enchantment": {"default": spellbook.DefaultSubject.OPPONENT},
        "missile": {"name": "Magic Missile"},
        "charm_monster": {"default": spellbook.DefaultSubject.SELF},
        "anti_spell": {"patterns": ("SPFP",)},
        "protection_from_evil": {"name": "Protection"},
        "blindness": {"patterns": ("DFWFd",)},
        "time_stop": {"patterns": ("SPPc", "SPPFD")},
        "delayed_effect": {"name": "Delay Effect"},
    },
    without=["summon_elemental"],
    added=(*_ELEMENTAL_SPELLS, _SACRIFICE),
)

_SPELL_ORDER: Final = (
    "dispel_magic", "counter_spell", "magic_mirror", "summon_goblin", "summon_ogre",
    "summon_troll", "summon_giant", "summon_ice_elemental", "summon_fire_elemental", "raise_dead",
    "haste", "time_stop", "protection_from_evil", "resist_heat", "resist_cold", "paralysis",
    "amnesia", "fear", "confusion", "charm_monster", "charm_person", "disease", "poison",
    "cure_light_wounds", "cure_heavy_wounds", "anti_spell", "sacrifice", "blindness",
    "invisibility", "permanency", "delayed_effect", "remove_enchantment", "shield", "missile",
    "cause_light_wounds", "cause_heavy_wounds", "lightning_bolt", "fireball", "finger_of_death",
    "fire_storm", "ice_storm",
)  # fmt: skip

_GESTURE_NAMES: Final = {
    "F": "finger upwards",
    "P": "pointing finger",
    "S": "snap",
    "W": "wriggled fingers",
    "D": "thumb",
}

WIZARDS_1: Final = make_ruleset(
    "wizards-1",
    name="Wizards",
    description="For collectors: A. A. van Zoelen’s 41 spells, and a marker for each victory.",
    spells=WIZARDS_SPELLBOOK,
    gesture_names=_GESTURE_NAMES,
    order_of_log=_SPELL_ORDER,
    opening=("dispelled", "broken", "bow"),
    markers=True,
)
