"""Readers' preferences: colours, size of text, how wounds are counted, keys, sound, time zone.

A player's preferences are stored in the wizard's row if they differ from the defaults. A visitor's
are stored in cookies, one for each, so that simultaneous changes do not undo each other. A player's
browser has these cookies too, so that the sign-in page looks right. Every page has them as
`reading`, and its root element carries them for the style sheets and scripts.

Any time zone can be chosen. Until then it is the browser's guess, which a script sends once, or UTC
before that.
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
from engine import and_list

COOKIE_SECONDS: Final = 400 * 24 * 3600  # browsers keep cookies no longer than this

ZONE: Final = "zone"
GUESSED_ZONE: Final = "guessed_zone"  # sent by the browser; a choice overrides it

# The choices, the default first, each with its text. A time zone is chosen by its name.
CHOICES: Final[Mapping[str, Mapping[str, str]]] = {
    "scheme": {"system": "match my device", "light": "paper", "dark": "candlelight"},
    "size": {"normal": "normal", "large": "large", "larger": "larger", "largest": "largest"},
    "points": {"damage": "damage taken", "left": "hit points left"},
    "shortcuts": {"on": "on", "off": "off"},
    "sound": {"off": "off", "on": "on"},
}
LABELS: Final[Mapping[str, str]] = {
    "scheme": "Colours",
    "size": "Text size",
    "points": "Show wounds as",
    "shortcuts": "Keyboard shortcuts",
    "sound": "Quiet sound",
    ZONE: "Time zone",
}
HELP: Final[Mapping[str, str]] = {
    "points": "A wizard dies at 15 damage, when no hit points are left.",
    "shortcuts": "Letters and arrows on the order sheet and in the grid, and / to find a spell.",
    ZONE: (
        "All times on the site are in this zone. If you do not choose one, your browser’s zone "
        "is used, or UTC."
    ),
    "sound": (
        "Plays when it becomes your turn or someone sends a message while the duel’s page is open."
    ),
}


@dataclass(frozen=True)
class ReadingPreferences:
    """One reader's preferences. Each field has one of its `CHOICES`. rules: F9, F91

    `zone` is an IANA name, or empty while it is unknown.
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
    """Return the preferences with the submitted ones, all or some. Raise `Refused`."""
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
    """Return the fields that a row stores: those that differ from the defaults."""
    usual = asdict(USUAL)
    return {name: value for name, value in asdict(reading).items() if value != usual[name]}


def preferences_from(kept: object) -> ReadingPreferences:
    """Return the preferences stored in a row or cookies. Values no longer valid become defaults."""
    if not isinstance(kept, Mapping):
        return USUAL
    known = {name: kept[name] for name in FIELDS if _is_choice(name, kept.get(name))}
    return replace(USUAL, **known)


def reading_of(request: HttpRequest) -> ReadingPreferences:
    """Return the preferences of the visitor."""
    wizard = getattr(request.user, "wizard", None) if request.user.is_authenticated else None
    if wizard is not None:
        return preferences_from(wizard.preferences)
    return preferences_from({name: request.COOKIES.get(cookie_of(name)) for name in FIELDS})


def zone_of(wizard: Wizard) -> ZoneInfo:
    """Return the time zone in which this wizard reads emails, which are sent without a request."""
    return ZoneInfo(preferences_from(wizard.preferences).zone or UTC)


def cookie_of(field: str) -> str:
    """Return the name of the cookie for this field."""
    return f"reading_{field}"


def remember(response: HttpResponse, reading: ReadingPreferences, typed: Mapping[str, Any]) -> None:
    """Store the submitted preferences in cookies, also for use when signed out.

    They are HttpOnly, because scripts do not need them.
    """
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
    """The visitor's time zone, looked up when a moment is first shown.

    Most requests show none, and a response that is the same for all must not look up the reader.
    """

    def __init__(self, request: HttpRequest) -> None:
        self.request = request

    @cached_property
    def zone(self) -> ZoneInfo:
        """The visitor's time zone as a `ZoneInfo`, looked up once."""
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
    """Middleware that gives every request its time zone and, when first used, its `reading`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.reading = SimpleLazyObject(lambda: reading_of(request))  # type: ignore[attr-defined]  # a middleware's way
        with timezone.override(ReaderZone(request)):
            return self.get_response(request)


def reading(request: HttpRequest) -> dict[str, object]:
    """Context processor: add every template's `reading` and the choices."""
    return {"reading": getattr(request, "reading", USUAL), "reading_choices": CHOICES}


def _is_choice(name: str, value: object) -> bool:
    if name == ZONE:
        return value == "" or (isinstance(value, str) and value in zone_names())
    return value in list(CHOICES[name])


def _allowed(name: str) -> str:
    if name == ZONE:
        return f"{LABELS[name]}: enter the name of a zone, such as Europe/Dublin."
    words = list(CHOICES[name])
    return f"{LABELS[name]}: choose one of {and_list(words)}."
