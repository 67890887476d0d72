"""The drawn signs of `static/img/sprite.svg`. Letters or words stand beside every sign."""

from functools import lru_cache

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from engine.gestures import written

register = template.Library()

GESTURE_SIGNS = {
    "F": "gesture-F",
    "P": "gesture-P",
    "S": "gesture-S",
    "W": "gesture-W",
    "D": "gesture-D",
    "C": "gesture-C",
    ">": "stab",
    "-": "nothing",
    "?": "fog",
}

# Signs that serve under another name too.
ALIASES = {
    "summon_fire_elemental": "fire_elemental",
    "summon_ice_elemental": "ice_elemental",
}

KIND_SIGNS = {
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


@register.simple_tag
@lru_cache(maxsize=256)
def sign(name: str) -> SafeString:
    """One sign by its name in the sprite. Readers of the page's text do not meet it."""
    return format_html(
        '<svg class="sign" aria-hidden="true" focusable="false"><use href="{}#{}"></use></svg>',
        static("img/sprite.svg"),
        ALIASES.get(name, name),
    )


@register.simple_tag
@lru_cache(maxsize=1)
def flourish() -> SafeString:
    """A line of ornament between one thing and the next."""
    return format_html(
        '<svg class="flourish" aria-hidden="true" focusable="false">'
        '<use href="{}#flourish"></use></svg>',
        static("img/sprite.svg"),
    )


@register.simple_tag
def gesture_sign(letter: str) -> SafeString:
    """The hand that makes a gesture."""
    return sign(GESTURE_SIGNS.get(letter, "nothing"))


@register.simple_tag
@lru_cache(maxsize=256)
def hands_for(pattern: str) -> SafeString:
    """The gestures of a spell as hands, each over its letter; a bracket asks both hands."""
    hands = format_html_join(
        "", "<span>{}<b>{}</b></span>", ((_hand(step), _letter(step)) for step in pattern)
    )
    return format_html(
        '<span class="hidden-text">{}</span><span class="made-by" aria-hidden="true">{}</span>',
        written(pattern),
        hands,
    )


def _hand(step: str) -> SafeString:
    return gesture_sign(step.upper())


def _letter(step: str) -> str:
    return f"({step}" if step.islower() else step


@register.simple_tag
def kind_sign(kind: str) -> SafeString:
    """What kind of being it is."""
    return sign(KIND_SIGNS.get(kind, "wizard"))
