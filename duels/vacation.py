"""Vacations: how much of one is earned, saved, taken and given back, as values.

The arithmetic alone: no row, no setting, no clock of its own. Every moment is passed in, aware and
in UTC. What is saved is a span of time and not a number of days, so that nothing is rounded.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo

from duels.clock import DAY

AT_FIRST: Final = 20 * DAY
MOST_SAVED: Final = 30 * DAY
EARNED_IN: Final = 8  # so many times its length: a day in eight days of membership
SHORTEST: Final = DAY

NOTHING: Final = timedelta(0)


class InvalidVacation(ValueError):
    """Nobody can have this vacation: `text` says why in a sentence."""

    def __init__(self, code: Literal["too_short", "not_saved"], text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


@dataclass(frozen=True)
class Savings:
    """How much was saved at a moment. It grows from then on, to `MOST_SAVED`."""

    saved: timedelta
    counted_at: datetime

    def at(self, now: datetime) -> timedelta:
        """How much is saved now."""
        earned = max(now - self.counted_at, NOTHING) / EARNED_IN
        return min(self.saved + earned, MOST_SAVED)


@dataclass(frozen=True)
class Vacation:
    """A vacation that has begun, and when it ends unless it is ended early."""

    began_at: datetime
    ends_at: datetime

    def unspent(self, now: datetime) -> timedelta:
        """What is given back if it ends now: what was not spent, and of its first day nothing."""
        return max(self.ends_at - max(now, self.began_at + SHORTEST), NOTHING)


def first_savings(member_since: datetime) -> Savings:
    """What somebody has saved who has never been on vacation."""
    return Savings(AT_FIRST, member_since)


def taken(savings: Savings, vacation: Vacation) -> Savings:
    """What is left when this vacation begins. Raises `InvalidVacation`."""
    length, saved = vacation.ends_at - vacation.began_at, savings.at(vacation.began_at)
    if length < SHORTEST:
        raise InvalidVacation("too_short", "A vacation is at least a day long.")
    if length > saved:
        wanted = -(-length // DAY)  # a day that is begun is one more to ask for
        text = f"You have saved {_days(saved // DAY)}, and this would take {_days(wanted)}."
        raise InvalidVacation("not_saved", text)
    return Savings(saved - length, vacation.began_at)


def given_back(savings: Savings, vacation: Vacation, now: datetime) -> Savings:
    """What is saved once this vacation, for which it was taken, ends now."""
    return Savings(min(savings.at(now) + vacation.unspent(now), MOST_SAVED), now)


def beginning(day: date, zone: ZoneInfo) -> datetime:
    """When this day begins by the clocks of the zone. Raises `OverflowError` at the end of time."""
    return datetime.combine(day, time.min, zone).astimezone(UTC)


def days_of_return(savings: Savings, now: datetime, zone: ZoneInfo) -> tuple[date, date] | None:
    """The first and the last day at whose beginning a vacation can end that begins now.

    None while too little is saved for any.
    """
    earliest, latest = now + SHORTEST, now + savings.at(now)
    first = earliest.astimezone(zone).date()
    if beginning(first, zone) < earliest:
        first += DAY
    last = latest.astimezone(zone).date()
    return (first, last) if beginning(first, zone) <= latest else None


def _days(number: int) -> str:
    return "a day" if number == 1 else f"{number or 'no'} days"
