"""Readers' preferences: colours, text size, display of damage, shortcuts, sound and time zone.

A player's preferences are stored in the wizard's row if they differ from the defaults. A visitor's
preferences are stored in cookies, one for each preference, so that simultaneous changes do not undo
each other. Players' browsers have these cookies too, so that the sign-in page looks right.
Templates read the preferences as `reading`. Style sheets and scripts read them from the page's root
element.

Readers can choose any time zone. The default is the browser's zone, which a script sends once, and
UTC until then.
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

from duels.clocks.clock import zone_names
from duels.clocks.zones import UTC
from duels.errors import Refused
from duels.models import Wizard
from engine.words import and_list

COOKIE_SECONDS: Final = 400 * 24 * 3600  # the longest lifetime of cookies in browsers

ZONE_FIELD: Final = "zone"
# The browser's time zone, used until the reader chooses one.
BROWSER_ZONE_COOKIE: Final = "guessed_zone"

# The choices for each preference, with labels and the default first. Time zones are not included.
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
    ZONE_FIELD: "Time zone",
}
HELP_TEXTS: Final[Mapping[str, str]] = {
    "points": "A wizard dies at 15 damage, when no hit points are left.",
    "shortcuts": "Letters and arrows on the order sheet and in the grid, and / to find a spell.",
    ZONE_FIELD: (
        "All times on the site are in this zone. If you do not choose one, your browser’s zone "
        "is used, or UTC."
    ),
    "sound": (
        "Plays when it becomes your turn or someone sends a message while the duel’s page is open."
    ),
}


@dataclass(frozen=True)
class ReadingPreferences:
    """One reader's preferences. `CHOICES` lists the possible values. rules: F9, F91

    `zone` is an IANA name, or "" if it is not known yet.
    """

    scheme: str = "system"
    size: str = "normal"
    points: str = "damage"
    shortcuts: str = "on"
    sound: str = "off"
    zone: str = ""


DEFAULT_PREFERENCES: Final = ReadingPreferences()
PREFERENCE_FIELDS: Final = tuple(field.name for field in fields(ReadingPreferences))


def updated_preferences(
    preferences: ReadingPreferences, submitted: Mapping[str, Any]
) -> ReadingPreferences:
    """Return the preferences with the submitted changes. Raise `Refused` for invalid values."""
    wanted = {name: submitted[name] for name in PREFERENCE_FIELDS if name in submitted}
    if BROWSER_ZONE_COOKIE in submitted:
        wanted = {ZONE_FIELD: preferences.zone or submitted[BROWSER_ZONE_COOKIE], **wanted}
    if not wanted:
        raise Refused("nothing_chosen", "Nothing was chosen.")
    for name, value in wanted.items():
        if not _is_choice(name, value):
            text = f"{LABELS[name]}: enter the name of a zone, such as Europe/Dublin."
            if name != ZONE_FIELD:
                text = f"{LABELS[name]}: choose one of {and_list(list(CHOICES[name]))}."
            raise Refused(f"unknown_{name}", text, field=name)
    return replace(preferences, **wanted)


def non_default_preferences(preferences: ReadingPreferences) -> dict[str, str]:
    """Return the preferences that differ from the defaults, as stored in a wizard's row."""
    usual = asdict(DEFAULT_PREFERENCES)
    return {name: value for name, value in asdict(preferences).items() if value != usual[name]}


def parse_preferences(stored: object) -> ReadingPreferences:
    """Parse preferences from a row or from cookies. Replace invalid values with the defaults."""
    if not isinstance(stored, Mapping):
        return DEFAULT_PREFERENCES
    known = {name: stored[name] for name in PREFERENCE_FIELDS if _is_choice(name, stored.get(name))}
    return replace(DEFAULT_PREFERENCES, **known)


def preferences_of_reader(request: HttpRequest) -> ReadingPreferences:
    """Return the reader's preferences."""
    wizard = getattr(request.user, "wizard", None) if request.user.is_authenticated else None
    if wizard is not None:
        return parse_preferences(wizard.preferences)
    return parse_preferences(
        {name: request.COOKIES.get(preference_cookie_name(name)) for name in PREFERENCE_FIELDS}
    )


def time_zone_of(wizard: Wizard) -> ZoneInfo:
    """Return the time zone for times in emails to this wizard."""
    return ZoneInfo(parse_preferences(wizard.preferences).zone or UTC)


def preference_cookie_name(field: str) -> str:
    """Return the name of the cookie that stores this preference."""
    return f"reading_{field}"


def store_preferences_in_cookies(
    response: HttpResponse, preferences: ReadingPreferences, submitted: Mapping[str, Any]
) -> None:
    """Store the submitted preferences in cookies, for readers who are not signed in."""
    kept = non_default_preferences(preferences)
    for name in PREFERENCE_FIELDS:
        if name in submitted or (name == ZONE_FIELD and BROWSER_ZONE_COOKIE in submitted):
            response.set_cookie(
                preference_cookie_name(name),
                kept.get(name, ""),
                max_age=COOKIE_SECONDS if name in kept else 0,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )


class ReaderZone(tzinfo):
    """The reader's time zone, looked up when a time is first shown.

    Most responses do not show times, and responses that are the same for everyone must not depend
    on the reader.
    """

    def __init__(self, request: HttpRequest) -> None:
        self.request = request

    @cached_property
    def zone(self) -> ZoneInfo:
        """The reader's time zone as a `ZoneInfo`, looked up once."""
        return ZoneInfo(preferences_of_reader(self.request).zone or UTC)

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        return self.zone.utcoffset(moment)

    def dst(self, moment: datetime | None) -> timedelta | None:
        return self.zone.dst(moment)

    def tzname(self, moment: datetime | None) -> str | None:
        return self.zone.tzname(moment)

    def fromutc(self, moment: datetime) -> datetime:
        return self.zone.fromutc(moment.replace(tzinfo=self.zone))


class ReadingMiddleware:
    """Middleware that gives requests the reader's zone and preferences, looked up lazily."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.reading = SimpleLazyObject(lambda: preferences_of_reader(request))  # type: ignore[attr-defined]  # as usual in middleware
        with timezone.override(ReaderZone(request)):
            return self.get_response(request)


def reading_context(request: HttpRequest) -> dict[str, object]:
    """Add the reader's preferences to the context of templates."""
    return {"reading": getattr(request, "reading", DEFAULT_PREFERENCES)}


def _is_choice(name: str, value: object) -> bool:
    if name == ZONE_FIELD:
        return value == "" or (isinstance(value, str) and value in zone_names())
    return value in list(CHOICES[name])
