"""A. A. van Zoelen's WIZARDS: 41 spells, nothing shot at nowhere, markers to win."""

from dataclasses import replace
from typing import Final

from engine.rulesets.ruleset import make
from engine.spellbook import BARTLE, Class, Default, Spell, Works, revised

_ELEMENTALS: Final = tuple(
    Spell(
        f"summon_{kind}_elemental",
        f"Summon {kind.title()} Elemental",
        (pattern,),
        Class.SUMMONS,
        Default.SELF,
        Works.EARTHLY,
        monster=kind,
        on_corpses=False,
        nowhere=False,
    )
    for kind, pattern in (("ice", "cSWWS"), ("fire", "cWSSW"))
)
_SACRIFICE: Final = Spell(
    "sacrifice", "Sacrifice", ("DWFFd",), Class.DAMAGING, Default.OPPONENT, nowhere=False
)

WIZARDS: Final = revised(
    tuple(replace(spell, nowhere=False) for spell in BARTLE),
    {
        "remove_enchantment": {"default": Default.OPPONENT},
        "missile": {"name": "Magic Missile"},
        "charm_monster": {"default": Default.SELF},
        "anti_spell": {"patterns": ("SPFP",)},
        "protection_from_evil": {"name": "Protection"},
        "blindness": {"patterns": ("DFWFd",)},
        "time_stop": {"patterns": ("SPPc", "SPPFD")},
        "delayed_effect": {"name": "Delay Effect"},
    },
    without=["summon_elemental"],
    added=(*_ELEMENTALS, _SACRIFICE),
)

WIZARDS_1: Final = make(
    "wizards-1",
    name="Wizards",
    description="A. A. van Zoelen's game of cards and counters: 41 spells, and markers to win.",
    spells=WIZARDS,
)
