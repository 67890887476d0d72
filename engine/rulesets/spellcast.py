"""Andrew Plotkin's X11 program, played as the program does: all else is asked after the reveal."""

from dataclasses import replace
from typing import Final

from engine.rulesets.ruleset import STEPWISE, make
from engine.spellbook import BARTLE, Change, Default, Lasts, Legal, Works, revised

_WIZARDS: Final[Change] = {"legal": Legal.WIZARDS}
_WINDOW: Final[Change] = {"legal": Legal.WIZARDS, "lasts": Lasts.THREE_TURNS}  # rules: R102

SPELLCAST: Final = revised(
    tuple(replace(spell, on_corpses=spell.id == "raise_dead") for spell in BARTLE),
    {
        "dispel_magic": {"legal": Legal.WIZARDS, "nowhere": False},
        "counter_spell": {"default": Default.OPPONENT},
        "raise_dead": {"nowhere": False},
        "summon_goblin": _WIZARDS,
        "summon_ogre": _WIZARDS,
        "summon_troll": _WIZARDS,
        "summon_giant": _WIZARDS,
        "summon_elemental": _WIZARDS,
        "charm_monster": {"works": Works.MONSTERS},
        "anti_spell": _WIZARDS,
        "delayed_effect": _WINDOW,
        "permanency": _WINDOW,
    },
)

SPELLCAST_1: Final = make(
    "spellcast-1",
    name="Spellcast",
    description="Andrew Plotkin's X11 program: gestures first, and everything else asked after.",
    spells=SPELLCAST,
    order_of_play=STEPWISE,
    blind_sense_spells=True,
    opening=("scrolls", "dispelled", "broken"),
)
