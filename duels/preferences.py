"""How somebody likes to read: colours, size of text, how wounds are counted, keys and sound.

A player's preferences stand in the wizard's row, only where they differ from the usual; a
visitor's in a cookie, which a player has too, so that signing in looks right. Every page knows
them as `reading`, and its first element carries them for the style sheets and scripts.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from duels.errors import Refused

COOKIE: Final = "reading"
COOKIE_SECONDS: Final = 400 * 24 * 3600  # browsers keep none for longer

# What there is to choose, the usual first, each in words.
CHOICES: Final[Mapping[str, Mapping[str, str]]] = {
    "scheme": {"system": "as my system", "light": "paper", "dark": "candlelight"},
    "size": {"normal": "normal", "large": "large", "larger": "larger", "largest": "largest"},
    "points": {"damage": "damage taken", "left": "hit points left"},
    "shortcuts": {"on": "on", "off": "off"},
    "sound": {"off": "off", "on": "on"},
}
LABELS: Final[Mapping[str, str]] = {
    "scheme": "Colours",
    "size": "Size of text",
    "points": "Wounds are shown as",
    "shortcuts": "Keyboard shortcuts",
    "sound": "A quiet sound",
}
HELP: Final[Mapping[str, str]] = {
    "points": "A wizard dies at 15 damage, which is to say at no hit points left.",
    "shortcuts": "Letters and arrows on the order sheet and in the grid, and / for the spellbook.",
    "sound": "When a duel comes to wait for you, or somebody speaks, while its page is open.",
}


@dataclass(frozen=True)
class Reading:
    """One reader's preferences; every field has one of its `CHOICES`. rules: F9, F91"""

    scheme: str = "system"
    size: str = "normal"
    points: str = "damage"
    shortcuts: str = "on"
    sound: str = "off"


USUAL: Final = Reading()
FIELDS: Final = tuple(field.name for field in fields(Reading))


def chosen(reading: Reading, typed: Mapping[str, Any]) -> Reading:
    """The preferences with what was typed, be it all or some of them. Raises `Refused`."""
    wanted = {name: typed[name] for name in FIELDS if name in typed}
    if not wanted:
        raise Refused("nothing_chosen", "Nothing was chosen.")
    for name, value in wanted.items():
        if value not in CHOICES[name]:
            raise Refused(f"unknown_{name}", _allowed(name), field=name)
    return replace(reading, **wanted)


def differences(reading: Reading) -> dict[str, str]:
    """What a row keeps: the fields that are not as usual."""
    usual = asdict(USUAL)
    return {name: value for name, value in asdict(reading).items() if value != usual[name]}


def stored(kept: object) -> Reading:
    """The preferences that a row or a cookie keeps. What is no choice any more is as usual."""
    if not isinstance(kept, Mapping):
        return USUAL
    known = {name: kept[name] for name in FIELDS if kept.get(name) in list(CHOICES[name])}
    return replace(USUAL, **known)


def reading_of(request: HttpRequest) -> Reading:
    """The preferences of whoever asks."""
    wizard = getattr(request.user, "wizard", None) if request.user.is_authenticated else None
    if wizard is not None:
        return stored(wizard.preferences)
    return stored(dict(part.split(":", 1) for part in _cookie_parts(request)))


def remember(response: HttpResponse, reading: Reading) -> None:
    """The browser keeps them too, also signed out. No page's script needs to read it."""
    text = "|".join(f"{name}:{value}" for name, value in differences(reading).items())
    response.set_cookie(
        COOKIE,
        text,
        max_age=COOKIE_SECONDS if text else 0,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


class ReadingMiddleware:
    """Gives every request its `reading`, found when it is first looked at."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.reading = SimpleLazyObject(lambda: reading_of(request))  # type: ignore[attr-defined]  # a middleware's way
        return self.get_response(request)


def reading(request: HttpRequest) -> dict[str, object]:
    """A context processor: every template's `reading`, and what there is to choose."""
    return {"reading": getattr(request, "reading", USUAL), "reading_choices": CHOICES}


def _cookie_parts(request: HttpRequest) -> list[str]:
    parts = request.COOKIES.get(COOKIE, "").split("|")
    return [part for part in parts if ":" in part]


def _allowed(name: str) -> str:
    words = list(CHOICES[name])
    return f"{LABELS[name]}: one of {', '.join(words[:-1])} and {words[-1]}."
