"""Calendars as text in the iCalendar format (RFC 5545).

Importing the usual library takes longer than the rest of a request, so only tests use it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

MAX_LINE_BYTES: Final = 75  # without the line break; longer lines are folded
CALENDAR_HEADER: Final = (
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Spellcaster//Deadlines//EN",
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "X-PUBLISHED-TTL:PT1H",
)


@dataclass(frozen=True)
class Deadline:
    """A deadline in a calendar. Its `uid` stays the same if its time changes."""

    uid: str
    at: datetime
    summary: str
    words: str
    url: str


def calendar_text(name: str, deadlines: Iterable[Deadline], now: datetime) -> str:
    """Return a calendar with these deadlines, created now."""
    lines = [*CALENDAR_HEADER, f"X-WR-CALNAME:{_escaped(name)}"]
    for deadline in deadlines:
        lines += [
            "BEGIN:VEVENT",
            f"UID:{deadline.uid}",
            f"DTSTAMP:{_moment(now)}",
            f"DTSTART:{_moment(deadline.at)}",
            f"SUMMARY:{_escaped(deadline.summary)}",
            f"DESCRIPTION:{_escaped(deadline.words)}",
            f"URL:{deadline.url}",
            "TRANSP:TRANSPARENT",
            "END:VEVENT",
        ]
    return "".join(f"{_folded(line)}\r\n" for line in [*lines, "END:VCALENDAR"])


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    return re.sub(r"([\\;,])", r"\\\1", text).replace("\n", r"\n")


def _folded(line: str) -> str:
    """Fold a line into pieces of at most 75 bytes, without splitting characters."""
    pieces, size = [""], 0
    for character in line:
        size += len(character.encode())
        if size > MAX_LINE_BYTES:
            pieces.append("")
            size = 1 + len(character.encode())  # a continued line begins with a space
        pieces[-1] += character
    return "\r\n ".join(pieces)
