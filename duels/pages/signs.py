"""The drawn signs: `static/css/signs.css` has their shapes. Letters or words stand beside each."""

from collections.abc import Iterable
from html import escape
from typing import Final

from django.utils.safestring import SafeString, mark_safe

from duels.caches import named_cache

GESTURE_SIGNS: Final = {">": "stab", "-": "nothing", "?": "fog"}

# Signs that serve under another name too.
ALIASES: Final = {
    "summon_fire_elemental": "fire_elemental",
    "summon_ice_elemental": "ice_elemental",
}

KIND_SIGNS: Final = {
    "goblin": "summon_goblin",
    "ogre": "summon_ogre",
    "troll": "summon_troll",
    "giant": "summon_giant",
    "elemental": "summon_elemental",
    "fire": "fire_elemental",
    "ice": "ice_elemental",
    "wizard": "wizard",
    "": "fog",  # not seen: nobody knows what it is by now
}


@named_cache("signs", size=256, key="the name: it is public")
def sign(name: str) -> SafeString:
    """One sign by its name. Readers of the page's text do not meet it."""
    return mark_safe(f'<i class="sign {escape(sign_class(name))}"></i>')


def sign_class(name: str) -> str:
    """The class that gives a sign its shape."""
    return f"sign-{ALIASES.get(name, name)}"


def gesture_sign(letter: str) -> SafeString:
    """The hand that makes a gesture."""
    return mark_safe(f'<i class="sign {escape(gesture_class(letter))}"></i>')


def gesture_class(letter: str) -> str:
    """The class that gives a gesture's hand its shape."""
    return f"sign-{GESTURE_SIGNS.get(letter, letter)}"


def aloud(letters: Iterable[str]) -> str:
    """Gestures for the ear, to which a small letter, of both hands, is like a capital.

    >>> aloud("cDPW")
    'both C D P W'
    """
    return " ".join(f"both {each.upper()}" if each.islower() else each for each in letters)
