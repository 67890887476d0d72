"""Durations as text."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.timesince import timesince


@dataclass(frozen=True)
class RelativeTime:
    """A moment, with text that gives its distance from now."""

    at: datetime
    words: str


def waiting_time(since: datetime, now: datetime) -> str:
    """Return the time between two moments as text in its two largest units: "2 days, 23 hours".

    The result is rounded down, so that nobody has less time than shown.
    """
    if now - since < timedelta(minutes=1):
        return "less than a minute"
    return timesince(since, now)
