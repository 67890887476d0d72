"""Make static/img/sprite.svg, the one file of drawn signs, from two icon packages.

    npm pack @iconify-json/fluent-emoji-high-contrast@1.2.6 @iconify-json/game-icons@1.2.4
    (unpack both; give the two icons.json files)
    python docs/sprite.py FLUENT/icons.json GAME/icons.json

Licences: Fluent emoji, Microsoft, MIT; game-icons.net, Lorc, Delapouite and others, CC BY 3.0.
"""

import json
import sys
from pathlib import Path

FLUENT = {
    "gesture-F": "hand-with-fingers-splayed",
    "gesture-P": "raised-hand",
    "gesture-S": "hand-with-index-finger-and-thumb-crossed",
    "gesture-W": "waving-hand",
    "gesture-D": "index-pointing-up",
    "gesture-C": "clapping-hands",
    "stab": "dagger",
    "half_clap": "leftwards-pushing-hand",
    "fog": "fog",
    "break": "high-voltage",
}

GAME = {
    # spells
    "shield": "round-shield",
    "remove_enchantment": "cancel",
    "magic_mirror": "mirror-mirror",
    "counter_spell": "shield-reflect",
    "dispel_magic": "magic-swirl",
    "raise_dead": "raise-zombie",
    "cure_light_wounds": "healing",
    "cure_heavy_wounds": "heart-plus",
    "summon_goblin": "goblin",
    "summon_ogre": "ogre",
    "summon_troll": "troll",
    "summon_giant": "giant",
    "summon_elemental": "star-swirl",
    "missile": "arrowhead",
    "finger_of_death": "grim-reaper",
    "lightning_bolt": "focused-lightning",
    "cause_light_wounds": "sword-wound",
    "cause_heavy_wounds": "skull-crack",
    "fireball": "fireball",
    "fire_storm": "fire-ring",
    "ice_storm": "snowflake-1",
    "amnesia": "brain-dump",
    "confusion": "swirl-ring",
    "charm_person": "charm",
    "charm_monster": "love-howl",
    "paralysis": "crossed-chains",
    "fear": "terror",
    "anti_spell": "breaking-chain",
    "protection_from_evil": "holy-symbol",
    "resist_heat": "thermometer-hot",
    "resist_cold": "thermometer-cold",
    "disease": "virus",
    "poison": "poison-bottle",
    "blindness": "blindfold",
    "invisibility": "invisible",
    "haste": "wingfoot",
    "time_stop": "stopwatch",
    "delayed_effect": "hourglass",
    "permanency": "infinity",
    "surrender": "flying-flag",
    # beings
    "wizard": "wizard-face",
    "fire_elemental": "flamer",
    "ice_elemental": "ice-golem",
    "corpse": "coffin",
    # the site
    "book": "spell-book",
    "scroll": "scroll-unfurled",
    "quill": "quill-ink",
    "seal": "wax-seal",
    "candle": "candle-light",
    "bank": "covered-jar",
    "eye": "eye-target",
    "hat": "pointy-hat",
    "duel": "crossed-swords",
    "crown": "queen-crown",
}

# Drawn here: a hand that does nothing is a short stroke of ink.
OWN = {
    "nothing": (
        "0 0 32 32",
        '<path fill="currentColor" d="M8 14.5h16a1.5 1.5 0 0 1 0 3H8a1.5 1.5 0 0 1 0-3"/>',
    )
}


def symbol(name: str, box: str, body: str) -> str:
    return f'<symbol id="{name}" viewBox="{box}">{body}</symbol>'


def symbols(table: dict[str, str], icons: dict[str, dict[str, str]], box: str) -> list[str]:
    return [symbol(name, box, icons[icon]["body"]) for name, icon in table.items()]


def main() -> None:
    fluent, game = (json.loads(Path(name).read_text("utf-8"))["icons"] for name in sys.argv[1:3])
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg">',
        "<!-- Gestures: Fluent emoji high contrast, (c) Microsoft, MIT. The rest: game-icons.net,",
        "     Lorc, Delapouite and contributors, CC BY 3.0. Made by docs/sprite.py. -->",
        *symbols(FLUENT, fluent, "0 0 32 32"),
        *symbols(GAME, game, "0 0 512 512"),
        *(symbol(name, box, body) for name, (box, body) in OWN.items()),
        "</svg>",
    ]
    target = Path(__file__).parent.parent / "static" / "img" / "sprite.svg"
    target.write_text("\n".join(parts) + "\n", "utf-8")


if __name__ == "__main__":
    main()
