"""Spans of time as people say them: how long something has waited, and what its pace leaves."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from duels.models import Pace

# What a pace gives each turn. The others leave the time to the wizards.
PACES: Final = {
    Pace.DAY: timedelta(days=1),
    Pace.THREE_DAYS: timedelta(days=3),
    Pace.WEEK: timedelta(days=7),
}
UNITS: Final = (("day", 86_400), ("hour", 3_600), ("minute", 60))
FEW: Final = 2  # up to this many of a unit are told in the next smaller one


@dataclass(frozen=True)
class When:
    """A moment, and how far it is from now in words."""

    at: datetime
    words: str


def waited(since: datetime, now: datetime) -> str:
    """The time between the two, roughly: what is finer than that nobody plans by."""
    seconds = max(0, int((now - since).total_seconds()))
    for name, size in UNITS:
        if seconds >= FEW * size or (name == "minute" and seconds >= size):
            number = seconds // size
            return f"{number} {name}{'' if number == 1 else 's'}"
    return "less than a minute"


def time_left(pace: str, since: datetime, now: datetime) -> str:
    """What the pace still gives a wizard for whom the duel waits. Nothing acts on it."""
    if pace not in PACES:
        return ""
    due = since + PACES[Pace(pace)]
    if due >= now:
        return f"{waited(now, due)} left"
    return f"late by {waited(due, now)}"
