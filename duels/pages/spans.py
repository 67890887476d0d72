"""Spans of time as people say them: how long something has waited, or stands."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.timesince import timesince


@dataclass(frozen=True)
class RelativeTime:
    """A moment, and how far it is from now in words."""

    at: datetime
    words: str


def waiting_time(since: datetime, now: datetime) -> str:
    """The time between the two, in the two units that tell most: "2 days, 23 hours".

    What is finer is left out, never rounded up: nobody has less time than they are told.
    """
    if now - since < timedelta(minutes=1):
        return "less than a minute"
    return timesince(since, now)
