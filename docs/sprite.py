"""Make `static/img/sprite.svg`, which contains all icons, from two icon packages.

    npm pack @iconify-json/fluent-emoji-high-contrast@1.2.6 @iconify-json/game-icons@1.2.4
    (unpack both, and pass the two icons.json files)
    python docs/sprite.py FLUENT/icons.json GAME/icons.json

Licences: Fluent emoji, Microsoft, MIT; game-icons.net, Lorc, Delapouite and others, CC BY 3.0.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

FLUENT_ICONS = {
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

GAME_ICONS = {
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
    "sacrifice": "sacrificial-dagger",
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
    "crystal": "crystal-ball",
    "talk": "talk",
    "search": "magnifying-glass",
    "bell": "ringing-bell",
    "letter": "envelope",
    "day": "sun",
    "night": "moon",
    "look": "telescope",
    "wound": "drop",
    "attack": "claw-slashes",
    "cog": "cog",
}

# Drawings made for this project: an ornament under headings; a short stroke of ink for a hand that
# does nothing; for Clap of Lightning, a bolt between two hands; for Maladroitness, a left hand that
# becomes a copy of the right one; a die standing on a corner, so that no face is on top.
OWN_ICONS = {
    "flourish": (
        "0 0 160 16",
        '<path fill="currentColor" d="m80 2 6 6-6 6-6-6z'
        "M66 5.6a2.4 2.4 0 1 1 0 4.8 2.4 2.4 0 0 1 0-4.8"
        "m28 0a2.4 2.4 0 1 1 0 4.8 2.4 2.4 0 0 1 0-4.8"
        "M60 8C44 3 34 3.4 24 6.4 15 9 8 9 0 8c9 4.4 17 4.6 27 1.6C37 6.8 46 6 60 8"
        'm40 0c16-5 26-4.6 36-1.6C145 9 152 9 160 8c-9 4.4-17 4.6-27 1.6C123 6.8 114 6 100 8"/>',
    ),
    "nothing": (
        "0 0 32 32",
        '<path fill="currentColor" d="M8 14.5h16a1.5 1.5 0 0 1 0 3H8a1.5 1.5 0 0 1 0-3"/>',
    ),
    "clap_of_lightning": (
        "0 0 512 512",
        '<path fill="currentColor" d="M302 24 156 284h88l-34 204 146-264h-92z'
        "M98 92C18 190 18 322 98 420l30-24C66 312 66 200 128 116zm316 0"
        'c80 98 80 230 0 328l-30-24c62-84 62-196 0-280z"/>',
    ),
    "maladroitness": (
        "0 0 512 512",
        '<path fill="currentColor" fill-rule="evenodd" d="M40 200h176v264H40z'
        "m36 36v192h104V236z"
        'm220-36h176v264H296zm36 36v192h104V236zM190 40v44h140v40H190v44L92 104z"/>',
    ),
    "die": (
        "0 0 512 512",
        '<path fill="currentColor" fill-rule="evenodd" d="'
        "M256 40 440 143 256 246 72 143zm-40 103a40 22 0 1 0 80 0a40 22 0 1 0-80 0z"
        "M56 172 240 275v203L56 375zm64 153a26 38 0 1 0 52 0a26 38 0 1 0-52 0z"
        'M456 172 272 275v203l184-103zm-116 153a26 38 0 1 0 52 0a26 38 0 1 0-52 0z"/>',
    ),
}


NUMBER_PATTERN = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?"
# Number of arguments of each path command. The arguments of an arc include two flags, written 0 or
# 1.
ARGUMENT_COUNTS = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7, "z": 0}


def rounded_drawing(body: str, digits: int) -> str:
    """Return the drawing with its numbers rounded to this many decimal places."""
    return re.sub(r' d="([^"]+)"', lambda found: f' d="{rounded_path(found[1], digits)}"', body)


def rounded_path(drawn: str, digits: int) -> str:
    """Return the commands of a path with rounded numbers and without unnecessary spaces."""
    return "".join(
        letter + "".join(separate_numbers(rounded_numbers(letter.lower(), rest, digits)))
        for letter, rest in re.findall(r"([a-zA-Z])([^a-zA-Z]*(?:e-?\d[^a-zA-Z]*)*)", drawn)
    )


def rounded_numbers(command: str, text: str, digits: int) -> Iterator[str]:
    """Yield the rounded numbers after a command's letter.

    There need not be spaces after an arc's flags.
    """
    at = taken = 0
    while at < len(text):
        flag = command == "a" and taken % ARGUMENT_COUNTS["a"] in (3, 4)
        found = re.compile(r"[01]" if flag else NUMBER_PATTERN).match(text, at)
        if found is None:
            at += 1  # a space or a comma
            continue
        yield found[0] if flag else shortest_number(float(found[0]), digits)
        at, taken = found.end(), taken + 1


def shortest_number(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".") if digits else f"{value:.0f}"
    text = "0" if text in ("-0", "") else text
    return re.sub(r"^(-?)0\.", r"\1.", text)


def separate_numbers(words: Iterator[str]) -> Iterator[str]:
    """Yield each number, with a space before it if it would otherwise run into the previous one."""
    before = ""
    for word in words:
        joined = not before or word[0] == "-" or (word[0] == "." and "." in before)
        yield word if joined else f" {word}"
        before = word


def symbol_element(name: str, box: str, body: str) -> str:
    return f'<symbol id="{name}" viewBox="{box}">{body}</symbol>'


def symbol_elements(
    table: dict[str, str], icons: dict[str, dict[str, str]], box: str, digits: int
) -> list[str]:
    return [
        symbol_element(name, box, rounded_drawing(icons[icon]["body"], digits))
        for name, icon in table.items()
    ]


def main() -> None:
    fluent, game = (json.loads(Path(name).read_text("utf-8"))["icons"] for name in sys.argv[1:3])
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg">',
        "<!-- Gestures: Fluent emoji high contrast, (c) Microsoft, MIT. The rest: game-icons.net,",
        "     Lorc, Delapouite and contributors, CC BY 3.0. Made by docs/sprite.py. -->",
        *symbol_elements(FLUENT_ICONS, fluent, "0 0 32 32", 1),
        *symbol_elements(GAME_ICONS, game, "0 0 512 512", 0),
        *(symbol_element(name, box, body) for name, (box, body) in OWN_ICONS.items()),
        "</svg>",
    ]
    target = Path(__file__).parent.parent / "static" / "img" / "sprite.svg"
    target.write_text("\n".join(parts) + "\n", "utf-8")


if __name__ == "__main__":
    main()
