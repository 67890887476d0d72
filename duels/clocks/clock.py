"""Deadlines of turns: the pace of a duel and the clock of one wizard, as values.

This is the only module that calculates deadlines. It does not use database rows, settings or the
system clock. Callers pass in all times, as aware datetimes in UTC.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Final, Literal, NamedTuple
from zoneinfo import ZoneInfo, available_timezones

DAY: Final = timedelta(days=1)
MIN_TURN_TIME: Final = timedelta(minutes=5)
MAX_TURN_TIME: Final = timedelta(days=30)
TURN_TIME_RANGE_ERROR: Final = "Choose a time from 5 minutes to 30 days."

# Minimum time for orders, and for answers, if the pace has a daily hour.
MIN_TIME_FOR_ORDERS: Final = DAY / 2
MIN_TIME_FOR_ANSWERS: Final = DAY / 4

NUMBERS_AS_WORDS: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve".split()
)


class InvalidPace(ValueError):
    """Error for an invalid pace. `text` is a sentence, and `field` is the invalid form field."""

    def __init__(self, field: Literal["pace", "time", "zone"], text: str) -> None:
        super().__init__(text)
        self.field = field
        self.text = text


@lru_cache(maxsize=1)
def zone_names() -> frozenset[str]:
    """Return the names of all time zones, such as "Europe/Dublin"."""
    return frozenset(available_timezones() - {"Factory", "localtime"})


@dataclass(frozen=True)
class Pace:
    """The time for orders: a time for each turn, a daily hour, or neither (no hurry).

    A time for each turn is a number of whole minutes, from `MIN_TURN_TIME` to `MAX_TURN_TIME`. A
    daily hour is a local time in hours and minutes in a time zone. Other values raise
    `InvalidPace`.
    """

    seconds: int = 0
    daily_at: time | None = None
    zone: str = ""

    def __post_init__(self) -> None:
        if self.seconds and (self.daily_at is not None or self.zone):
            raise InvalidPace("pace", "Choose a time for each turn or a daily hour, not both.")
        if self.seconds:
            if not MIN_TURN_TIME.total_seconds() <= self.seconds <= MAX_TURN_TIME.total_seconds():
                raise InvalidPace("time", TURN_TIME_RANGE_ERROR)
            if self.seconds % 60:
                raise InvalidPace("time", "The time for a turn must be whole minutes.")
        elif self.daily_at is not None:
            if self.daily_at != time(self.daily_at.hour, self.daily_at.minute):
                text = "Enter the daily hour in hours and minutes, without seconds."
                raise InvalidPace("time", text)
            if self.zone not in zone_names():
                raise InvalidPace("zone", "Choose a time zone from the list.")
        elif self.zone:
            raise InvalidPace("time", "Choose the hour of the day when turns are due.")

    def __str__(self) -> str:
        """Return the pace as stored: "none", "259200" or "daily 21:00 Europe/Dublin"."""
        if self.daily_at is not None:
            return f"daily {self.daily_at:%H:%M} {self.zone}"
        return str(self.seconds) if self.seconds else "none"

    @classmethod
    def parse(cls, text: str) -> "Pace":
        """Parse a stored pace. Raise `InvalidPace` if it is not valid."""
        if text == "none":
            return NO_HURRY
        if re.fullmatch(r"[1-9][0-9]{0,8}", text):
            return cls(seconds=int(text))
        daily = re.fullmatch(r"daily ([0-9]{2}):([0-9]{2}) (\S+)", text)
        if daily is None:
            raise InvalidPace("pace", "Choose a pace from the list.")
        hour, minute = int(daily[1]), int(daily[2])
        if hour > 23 or minute > 59:
            raise InvalidPace("time", "Enter an hour from 00:00 to 23:59.")
        return cls(daily_at=time(hour, minute), zone=daily[3])

    @property
    def is_unhurried(self) -> bool:
        return not self.seconds and self.daily_at is None

    @property
    def turn_time(self) -> timedelta | None:
        """The time for each turn: a day with a daily hour, or None without a clock."""
        if self.daily_at is not None:
            return DAY
        return timedelta(seconds=self.seconds) if self.seconds else None

    @property
    def is_slow(self) -> bool:
        """Whether turns last a day or more: vacations count, and answers have less time."""
        return self.turn_time is not None and self.turn_time >= DAY

    @property
    def words(self) -> str:
        """The pace as text, such as "three days for each turn"."""
        if self.daily_at is not None:
            return f"every day at {self.daily_at:%H:%M} ({self.zone})"
        return f"{_duration_text(self.seconds)} for each turn" if self.seconds else "no hurry"


NO_HURRY: Final = Pace()
THREE_DAYS: Final = Pace(seconds=3 * 24 * 3600)


@dataclass(frozen=True)
class Clock:
    """A wizard's clock in a turn.

    A running clock has `due_at`, and a stopped clock has `left`. If both are None, there is no
    clock. `remind_at` is None once the wizard has been reminded, and while the clock is stopped.
    """

    due_at: datetime | None = None
    remind_at: datetime | None = None
    left: timedelta | None = None
    is_reminded: bool = False

    @property
    def stamp(self) -> str:
        """Text that changes whenever the clock's deadline or remaining time changes."""
        return f"due {self.due_at.timestamp():.0f}" if self.due_at else f"left {self.left}"


NO_CLOCK: Final = Clock()


class Timing(NamedTuple):
    """The pace of a turn, and whether the turn waits for answers."""

    pace: Pace
    for_answers: bool = False

    @property
    def whole(self) -> timedelta | None:
        """The time for orders or answers, or None if there is no clock.

        Wizards have the pace's whole time for orders. For answers they have a quarter of it if the
        pace is slow (at least six hours), and all of it otherwise.
        """
        whole, is_shorter = self.pace.turn_time, self.for_answers and self.pace.is_slow
        return whole / 4 if whole is not None and is_shorter else whole


def new_clock(timing: Timing, now: datetime, *, is_stopped: bool = False) -> Clock:
    """Return a new clock for a wizard who must act from now on, stopped if `is_stopped`."""
    whole = timing.whole
    if whole is None:
        return NO_CLOCK
    if timing.pace.daily_at is not None:
        whole = MIN_TIME_FOR_ANSWERS if timing.for_answers else MIN_TIME_FOR_ORDERS
    clock = _running_clock(Clock(), timing, now + whole, now)
    return stopped_clock(clock, now) if is_stopped else clock


def stopped_clock(clock: Clock, now: datetime) -> Clock:
    """Stop a running clock and keep the time left (at least zero). Leave other clocks unchanged."""
    if clock.due_at is None:
        return clock
    left = max(clock.due_at - now, timedelta(0))
    return replace(clock, due_at=None, remind_at=None, left=left)


def resumed_clock(clock: Clock, timing: Timing, now: datetime) -> Clock:
    """Resume a stopped clock with the time left, rounded up to the next possible deadline."""
    return clock if clock.left is None else _running_clock(clock, timing, now + clock.left, now)


def extended_clock(clock: Clock, timing: Timing, extension: timedelta, now: datetime) -> Clock:
    """Add time to a clock, counted from its deadline or, if that has passed, from now."""
    assert extension >= timedelta(0), "an extension cannot be negative"
    if clock.left is not None:
        return replace(clock, left=clock.left + extension)
    if clock.due_at is None:
        return clock
    return _running_clock(clock, timing, max(clock.due_at, now) + extension, now)


def clock_with_extension(clock: Clock, timing: Timing, now: datetime) -> Clock:
    """Extend the clock by half the stage's time."""
    whole = timing.whole
    return clock if whole is None else extended_clock(clock, timing, whole / 2, now)


def restored_clock(clock: Clock, timing: Timing, since: datetime, now: datetime) -> Clock:
    """Give the clock the time left at `since`, and at least a fifth of the stage's time."""
    if clock.due_at is None or timing.whole is None:
        return clock
    left = max(clock.due_at - since, timing.whole / 5)
    return _running_clock(clock, timing, now + left, now)


def clock_with_minimum_left(clock: Clock, timing: Timing) -> Clock:
    """Give a stopped clock at least a fifth of the stage's time, so that a reminder is due."""
    if clock.left is None or timing.whole is None:
        return clock
    return replace(clock, left=max(clock.left, timing.whole / 5))


def reminded_clock(clock: Clock) -> Clock:
    """Return the clock after its wizard has been reminded of this turn."""
    return replace(clock, remind_at=None, is_reminded=True)


def _running_clock(clock: Clock, timing: Timing, earliest: datetime, now: datetime) -> Clock:
    """Return a clock that runs, with a reminder when a fifth of the time is left."""
    due_at = _next_possible_deadline(timing.pace, earliest)
    remind_at = None
    if not clock.is_reminded:
        remind_at = max(due_at - (timing.whole or timedelta(0)) / 5, now)
    return replace(clock, due_at=due_at, remind_at=remind_at, left=None)


def _next_possible_deadline(pace: Pace, earliest: datetime) -> datetime:
    """Return this time or, if the pace has a daily hour, the next such hour."""
    if pace.daily_at is None:
        return earliest
    zone = ZoneInfo(pace.zone)
    today = earliest.astimezone(zone).date()
    # Include the previous day: if clocks go back at midnight, its last hour is repeated.
    days = [today + days * DAY for days in (-1, 0, 1)]
    moments = (moment for day in days for moment in _moments_of_hour(day, pace.daily_at, zone))
    return min(moment for moment in moments if moment >= earliest)


def _moments_of_hour(day: date, hour: time, zone: ZoneInfo) -> Iterator[datetime]:
    """Yield the moments when local clocks show this time on this day.

    There are two moments if the clocks go back past it. If the clocks skip it, yield the moment
    when they go forward.
    """
    first = datetime.combine(day, hour.replace(fold=0), zone).astimezone(UTC)
    second = datetime.combine(day, hour.replace(fold=1), zone).astimezone(UTC)
    if first <= second:
        yield from (first, second)
    else:
        # The clocks skip this time. `first` uses the old offset and is after the jump, and
        # `second` uses the new offset and is before it.
        yield _offset_change_moment(second, first, zone)


def _offset_change_moment(before: datetime, after: datetime, zone: ZoneInfo) -> datetime:
    """Return the first second between two moments at which the zone's new offset applies."""
    old = before.astimezone(zone).utcoffset()
    first = int(before.timestamp())
    seconds = range(first, int(after.timestamp()))
    passed = bisect_left(
        seconds, True, key=lambda at: datetime.fromtimestamp(at, zone).utcoffset() != old
    )
    return datetime.fromtimestamp(first + passed, UTC)


def _duration_text(seconds: int) -> str:
    """Return a duration in its largest whole unit: "a day", "36 hours", "90 minutes"."""
    for unit, size in (("day", 24 * 3600), ("hour", 3600)):
        if seconds == size:
            return f"{'an' if unit == 'hour' else 'a'} {unit}"
        if seconds % size == 0:
            return _number_with_unit(seconds // size, unit)
    return _number_with_unit(seconds // 60, "minute")


def _number_with_unit(number: int, unit: str) -> str:
    return f"{NUMBERS_AS_WORDS[number] if number < len(NUMBERS_AS_WORDS) else number} {unit}s"
