"""Calculation of vacation time: how much wizards earn, save, use and get back.

This module does not use database rows, settings or the system clock. Callers pass in all times, as
aware datetimes in UTC. Savings are a `timedelta`, not a number of days, so nothing is rounded.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo

from duels.clocks.clock import DAY

INITIAL_VACATION: Final = 20 * DAY
MAX_SAVED_VACATION: Final = 30 * DAY
DAYS_PER_EARNED_DAY: Final = 8  # wizards earn a day of vacation in eight days of membership
MIN_VACATION: Final = DAY

ZERO_TIME: Final = timedelta(0)


class InvalidVacation(ValueError):
    """Error for an invalid vacation. `text` is a sentence with the reason."""

    def __init__(self, code: Literal["too_short", "not_saved"], text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


@dataclass(frozen=True)
class Savings:
    """The vacation that a wizard had saved at `counted_at`. It grows up to `MAX_SAVED_VACATION`."""

    saved: timedelta
    counted_at: datetime

    def saved_at(self, now: datetime) -> timedelta:
        """Return the vacation time that the wizard has saved now."""
        earned = max(now - self.counted_at, ZERO_TIME) / DAYS_PER_EARNED_DAY
        return min(self.saved + earned, MAX_SAVED_VACATION)


@dataclass(frozen=True)
class Vacation:
    """A vacation that has begun. It ends at `ends_at`, unless the wizard returns earlier."""

    began_at: datetime
    ends_at: datetime

    def refund_at(self, now: datetime) -> timedelta:
        """Return the time given back if the vacation ends now. The first day always counts."""
        return max(self.ends_at - max(now, self.began_at + MIN_VACATION), ZERO_TIME)


def initial_savings(member_since: datetime) -> Savings:
    """Return the savings of a wizard who has never been on vacation."""
    return Savings(INITIAL_VACATION, member_since)


def savings_after_start(savings: Savings, vacation: Vacation) -> Savings:
    """Return the savings that are left when this vacation begins. Raise `InvalidVacation`."""
    length, saved = vacation.ends_at - vacation.began_at, savings.saved_at(vacation.began_at)
    if length < MIN_VACATION:
        raise InvalidVacation(
            "too_short", "A vacation must last at least a day. Choose a later date."
        )
    if length > saved:
        wanted = -(-length // DAY)  # partial days count as whole days
        text = (
            f"You have {_days_text(saved // DAY)} left, but this vacation would take "
            f"{_days_text(wanted)}. "
            "Choose an earlier date."
        )
        raise InvalidVacation("not_saved", text)
    return Savings(saved - length, vacation.began_at)


def savings_after_end(savings: Savings, vacation: Vacation, now: datetime) -> Savings:
    """Return the savings if this vacation ends now. `savings` are those left at its beginning."""
    return Savings(min(savings.saved_at(now) + vacation.refund_at(now), MAX_SAVED_VACATION), now)


def start_of_day(day: date, zone: ZoneInfo) -> datetime:
    """Return when this day begins in this zone. Raise `OverflowError` if it is out of range."""
    return datetime.combine(day, time.min, zone).astimezone(UTC)


def possible_return_days(
    savings: Savings, now: datetime, zone: ZoneInfo
) -> tuple[date, date] | None:
    """Return the first and last day on which a vacation from now can end, or None."""
    earliest, latest = now + MIN_VACATION, now + savings.saved_at(now)
    first = earliest.astimezone(zone).date()
    if start_of_day(first, zone) < earliest:
        first += DAY
    last = latest.astimezone(zone).date()
    return (first, last) if start_of_day(first, zone) <= latest else None


def _days_text(number: int) -> str:
    return "a day" if number == 1 else f"{number or 'no'} days"
