"""How somebody likes to read: colours, size of text, how wounds are counted, keys, sound, zone.

A player's preferences stand in the wizard's row, only where they differ from the usual; a
visitor's in cookies, one for each, so that of two that change at once neither undoes the other. A
player's browser has them too, so that signing in looks right. Every page knows them as `reading`,
and its first element carries them for the style sheets and scripts.

The time zone is any that there is. Until one is chosen it is what the browser guesses, which a
script sends once; and UTC until then.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime, timedelta, tzinfo
from functools import cached_property
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from duels.clock import zone_names
from duels.errors import Refused
from duels.models import Wizard
from duels.zones import UTC
from engine import listed

COOKIE_SECONDS: Final = 400 * 24 * 3600  # browsers keep none for longer

ZONE: Final = "zone"
GUESSED_ZONE: Final = "guessed_zone"  # what a browser sends of itself; a choice outweighs it

# What there is to choose, the usual first, each in words. A time zone is chosen by its name.
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
    ZONE: "Time zone",
}
HELP: Final[Mapping[str, str]] = {
    "points": "A wizard dies at 15 damage, which is to say at no hit points left.",
    "shortcuts": "Letters and arrows on the order sheet and in the grid, and / for the spellbook.",
    ZONE: "In which all moments are told. Without a choice: as the browser says, or UTC.",
    "sound": "When a duel comes to wait for you, or somebody speaks, while its page is open.",
}


@dataclass(frozen=True)
class ReadingPreferences:
    """One reader's preferences; every field has one of its `CHOICES`. rules: F9, F91

    `zone`: an IANA name; empty while none is known.
    """

    scheme: str = "system"
    size: str = "normal"
    points: str = "damage"
    shortcuts: str = "on"
    sound: str = "off"
    zone: str = ""


USUAL: Final = ReadingPreferences()
FIELDS: Final = tuple(field.name for field in fields(ReadingPreferences))


def with_choices(reading: ReadingPreferences, typed: Mapping[str, Any]) -> ReadingPreferences:
    """The preferences with what was typed, be it all or some of them. Raises `Refused`."""
    wanted = {name: typed[name] for name in FIELDS if name in typed}
    if GUESSED_ZONE in typed:
        wanted = {ZONE: reading.zone or typed[GUESSED_ZONE], **wanted}
    if not wanted:
        raise Refused("nothing_chosen", "Nothing was chosen.")
    for name, value in wanted.items():
        if not _is_choice(name, value):
            raise Refused(f"unknown_{name}", _allowed(name), field=name)
    return replace(reading, **wanted)


def non_defaults(reading: ReadingPreferences) -> dict[str, str]:
    """What a row keeps: the fields that are not as usual."""
    usual = asdict(USUAL)
    return {name: value for name, value in asdict(reading).items() if value != usual[name]}


def preferences_from(kept: object) -> ReadingPreferences:
    """The preferences that a row or cookies keep. What is no choice any more is as usual."""
    if not isinstance(kept, Mapping):
        return USUAL
    known = {name: kept[name] for name in FIELDS if _is_choice(name, kept.get(name))}
    return replace(USUAL, **known)


def reading_of(request: HttpRequest) -> ReadingPreferences:
    """The preferences of whoever asks."""
    wizard = getattr(request.user, "wizard", None) if request.user.is_authenticated else None
    if wizard is not None:
        return preferences_from(wizard.preferences)
    return preferences_from({name: request.COOKIES.get(cookie_of(name)) for name in FIELDS})


def zone_of(wizard: Wizard) -> ZoneInfo:
    """The time zone in which this wizard reads moments: for mails, which no request asks for."""
    return ZoneInfo(preferences_from(wizard.preferences).zone or UTC)


def cookie_of(field: str) -> str:
    """The name of the cookie that keeps this field."""
    return f"reading_{field}"


def remember(response: HttpResponse, reading: ReadingPreferences, typed: Mapping[str, Any]) -> None:
    """The browser keeps what was typed too, also signed out. No page's script needs to read it."""
    kept = non_defaults(reading)
    for name in FIELDS:
        if name in typed or (name == ZONE and GUESSED_ZONE in typed):
            response.set_cookie(
                cookie_of(name),
                kept.get(name, ""),
                max_age=COOKIE_SECONDS if name in kept else 0,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )


class ReaderZone(tzinfo):
    """The time zone of whoever asks, looked for when a moment is first told.

    Most requests tell none, and what does not depend on its reader must not ask who reads.
    """

    def __init__(self, request: HttpRequest) -> None:
        self.request = request

    @cached_property
    def zone(self) -> ZoneInfo:
        """The zone itself."""
        return ZoneInfo(reading_of(self.request).zone or UTC)

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        return self.zone.utcoffset(moment)

    def dst(self, moment: datetime | None) -> timedelta | None:
        return self.zone.dst(moment)

    def tzname(self, moment: datetime | None) -> str | None:
        return self.zone.tzname(moment)

    def fromutc(self, moment: datetime) -> datetime:
        return self.zone.fromutc(moment.replace(tzinfo=self.zone))


class ReadingMiddleware:
    """Gives every request its `reading`, found when it is first looked at, and its time zone."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.reading = SimpleLazyObject(lambda: reading_of(request))  # type: ignore[attr-defined]  # a middleware's way
        with timezone.override(ReaderZone(request)):
            return self.get_response(request)


def reading(request: HttpRequest) -> dict[str, object]:
    """A context processor: every template's `reading`, and what there is to choose."""
    return {"reading": getattr(request, "reading", USUAL), "reading_choices": CHOICES}


def _is_choice(name: str, value: object) -> bool:
    if name == ZONE:
        return value == "" or (isinstance(value, str) and value in zone_names())
    return value in list(CHOICES[name])


def _allowed(name: str) -> str:
    if name == ZONE:
        return f"{LABELS[name]}: one by its name, as in Europe/Dublin."
    words = list(CHOICES[name])
    return f"{LABELS[name]}: one of {listed(words)}."
