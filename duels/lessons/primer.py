"""The two-minute introduction: six scenes of a few turns, which the engine plays.

The left hand's gesture comes before the right hand's, and Ada's gestures before Bram's. The scenes
use Bartle's rules and do not need dice.
"""

import json
from dataclasses import dataclass
from typing import Final

RULESET: Final = "bartle-1"
WIZARDS: Final = (("Ada", "she"), ("Bram", "he"))


@dataclass(frozen=True)
class Scene:
    """A scene that explains one idea in text and shows it in a few turns."""

    slug: str
    title: str
    words: str
    turns: tuple[tuple[str, str], ...]
    setup: str = "{}"  # the engine's setup as JSON text, which is immutable


SCENES: Final = (
    Scene(
        "turn",
        "A turn",
        "You choose a gesture for each of your hands, or nothing, and seal both. One hand may "
        "stab with your knife instead. Nobody can see sealed gestures. When the last wizard has "
        "sealed, all hands are revealed at once, and the next turn begins.",
        (("-S", "WW"),),
    ),
    Scene(
        "hand",
        "A hand",
        "Each hand makes its own sequence of gestures, and the latest ones count. Only a clap "
        "takes both hands. You need nothing else to cast: only what your hands have done, for "
        "all to see.",
        (("-S", "WW"), ("SF", "SD"), ("FD", "FF")),
    ),
    Scene(
        "spell",
        "A spell",
        "S, then D with the same hand, is Missile, the shortest spell that hurts: one point of "
        "damage. It flies by itself in the turn of its last gesture. One gesture can end a "
        "spell and begin the next.",
        (("-S", "W-"), ("-D", "FF")),
    ),
    Scene(
        "defence",
        "A defence",
        "You saw the S, so you know what may come. A single P is a Shield for this turn: it "
        "stops missiles, blades and monsters. Against most other spells there is Counter-spell, "
        "W W S.",
        (("-S", "W-"), ("-D", "FP")),
    ),
    Scene(
        "monster",
        "A monster",
        "S F W summons a goblin, which strikes your enemy at once and then every turn, until "
        "someone deals with it. Longer sequences bring ogres, trolls and giants.",
        (("S-", "W-"), ("F-", "FF"), ("W-", "-S")),
    ),
    Scene(
        "end",
        "The end",
        "A wizard survives fourteen points of damage, which Bram has already, and falls at "
        "fifteen. The last one standing wins. Two can fall in the same turn, and a wizard can "
        "surrender by showing both palms, P and P.",
        (("-S", "FW"), ("-D", "WF")),
        setup=json.dumps({"wizards": [{"damage": 9}, {"damage": 14}]}),
    ),
)
