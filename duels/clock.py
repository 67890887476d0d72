"""When a turn is due: the pace of a duel and the clock of one wizard, as values.

The whole arithmetic of deadlines is here and nowhere else: no row, no setting, no clock of its own.
Every moment is passed in, and every moment given or answered is aware and in UTC.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Final, Literal
from zoneinfo import ZoneInfo, available_timezones

DAY: Final = timedelta(days=1)
SHORTEST: Final = timedelta(minutes=5)
LONGEST: Final = timedelta(days=30)
LIMITS: Final = "A turn has at least 5 minutes and at most 30 days."

# A daily hour gives orders, and answers, at least this long.
LEAST_FOR_ORDERS: Final = DAY / 2
LEAST_FOR_ANSWERS: Final = DAY / 4

NUMBERS: Final = dict(
    enumerate(
        (
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ),
        start=2,
    )
)


class InvalidPace(ValueError):
    """No duel can have this pace. `text` says why in a sentence; `field` which part of it."""

    def __init__(self, field: Literal["pace", "time", "zone"], text: str) -> None:
        super().__init__(text)
        self.field = field
        self.text = text


@lru_cache(maxsize=1)
def zone_names() -> frozenset[str]:
    """Every time zone there is: "Europe/Dublin". Without the two names that mean none."""
    return frozenset(available_timezones() - {"Factory", "localtime"})


def _check_seconds(seconds: int) -> None:
    if not SHORTEST.total_seconds() <= seconds <= LONGEST.total_seconds():
        raise InvalidPace("time", LIMITS)
    if seconds % 60:
        raise InvalidPace("time", "The time for a turn is whole minutes.")


def _check_daily(at: time, zone: str) -> None:
    if at != time(at.hour, at.minute):
        raise InvalidPace("time", "A daily hour has hours and minutes, and no seconds.")
    if zone not in zone_names():
        raise InvalidPace("zone", "There is no such time zone.")


@dataclass(frozen=True)
class Pace:
    """How soon orders are expected: a time for each turn, or a daily hour, or neither: no hurry.

    A time for each turn is whole minutes, `SHORTEST` to `LONGEST`. A daily hour has hours and
    minutes by the wall clocks of a time zone. Raises `InvalidPace` for anything else.
    """

    seconds: int = 0
    daily_at: time | None = None
    zone: str = ""

    def __post_init__(self) -> None:
        if self.seconds and (self.daily_at is not None or self.zone):
            raise InvalidPace("pace", "Choose a time for each turn or a daily hour, not both.")
        if self.seconds:
            _check_seconds(self.seconds)
        elif self.daily_at is not None:
            _check_daily(self.daily_at, self.zone)
        elif self.zone:
            raise InvalidPace("time", "Say at which hour of the day turns are due.")

    def __str__(self) -> str:
        """The pace as a row keeps it: "none", "259200", "daily 21:00 Europe/Dublin"."""
        if self.daily_at is not None:
            return f"daily {self.daily_at:%H:%M} {self.zone}"
        return str(self.seconds) if self.seconds else "none"

    @classmethod
    def parse(cls, text: str) -> "Pace":
        """The pace that is kept as this text. Raises `InvalidPace`."""
        if text == "none":
            return NO_HURRY
        if re.fullmatch(r"[1-9][0-9]{0,8}", text):
            return cls(seconds=int(text))
        daily = re.fullmatch(r"daily ([0-9]{2}):([0-9]{2}) (\S+)", text)
        if daily is None:
            raise InvalidPace("pace", "There is no such pace.")
        hour, minute = int(daily[1]), int(daily[2])
        if hour > 23 or minute > 59:
            raise InvalidPace("time", "An hour of the day is one from 00:00 to 23:59.")
        return cls(daily_at=time(hour, minute), zone=daily[3])

    @property
    def is_unhurried(self) -> bool:
        return not self.seconds and self.daily_at is None

    @property
    def turn_time(self) -> timedelta | None:
        """What each turn has: of a daily hour a day. None without a clock."""
        if self.daily_at is not None:
            return DAY
        return timedelta(seconds=self.seconds) if self.seconds else None

    @property
    def is_slow(self) -> bool:
        """A day or more for each turn: vacations count, and answers have a shorter time."""
        return self.turn_time is not None and self.turn_time >= DAY

    @property
    def words(self) -> str:
        """The pace as people say it: "three days for each turn"."""
        if self.daily_at is not None:
            return f"every day at {self.daily_at:%H:%M} ({self.zone})"
        return f"{_in_words(self.seconds)} for each turn" if self.seconds else "no hurry"


NO_HURRY: Final = Pace()
THREE_DAYS: Final = Pace(seconds=3 * 24 * 3600)


@dataclass(frozen=True)
class Clock:
    """How long a turn waits for one wizard.

    It runs and has `due_at`, or stands and has `left`, or there is none: neither. `remind_at` is
    None once the wizard has been reminded, and while the clock stands.
    """

    due_at: datetime | None = None
    remind_at: datetime | None = None
    left: timedelta | None = None
    is_reminded: bool = False

    @property
    def stamp(self) -> str:
        """Tells it from the same clock with more or less time."""
        return f"due {self.due_at.timestamp():.0f}" if self.due_at else f"left {self.left}"


NO_CLOCK: Final = Clock()


def stage_time(pace: Pace, *, asks: bool) -> timedelta | None:
    """What a stage of a turn has: orders the pace's whole time, answers (`asks`) less.

    A quarter if the pace is slow, which is never less than an hour; the whole if it is quick.
    None without a clock.
    """
    whole = pace.turn_time
    return whole / 4 if whole is not None and asks and pace.is_slow else whole


def started(pace: Pace, now: datetime, *, asks: bool = False, is_stopped: bool = False) -> Clock:
    """The clock of a wizard for whom the turn waits from now on; standing at once if need be."""
    time_for_it = stage_time(pace, asks=asks)
    if time_for_it is None:
        return NO_CLOCK
    if pace.daily_at is None:
        due_at = now + time_for_it
    else:
        due_at = _due(pace, now + (LEAST_FOR_ANSWERS if asks else LEAST_FOR_ORDERS))
    clock = _running(Clock(), pace, due_at, now, asks=asks)
    return stopped(clock, now) if is_stopped else clock


def stopped(clock: Clock, now: datetime) -> Clock:
    """The clock stands and keeps what is left, at least nothing; what does not run stays."""
    if clock.due_at is None:
        return clock
    left = max(clock.due_at - now, timedelta(0))
    return replace(clock, due_at=None, remind_at=None, left=left)


def continued(clock: Clock, pace: Pace, now: datetime, *, asks: bool = False) -> Clock:
    """A standing clock runs again, with what was left or, up to the daily hour, more."""
    if clock.left is None:
        return clock
    return _running(clock, pace, _due(pace, now + clock.left), now, asks=asks)


def extended(
    clock: Clock, pace: Pace, by: timedelta, now: datetime, *, asks: bool = False
) -> Clock:
    """There is so much more time, from when the turn is due or, if that is past, from now."""
    assert by >= timedelta(0), "nobody’s time is shortened"
    if clock.left is not None:
        return replace(clock, left=clock.left + by)
    if clock.due_at is None:
        return clock
    return _running(clock, pace, _due(pace, max(clock.due_at, now) + by), now, asks=asks)


def excused(clock: Clock, pace: Pace, now: datetime, *, asks: bool = False) -> Clock:
    """The turn has half its time more."""
    time_for_it = stage_time(pace, asks=asks)
    if time_for_it is None:
        return clock
    return extended(clock, pace, time_for_it / 2, now, asks=asks)


def given_back(
    clock: Clock, pace: Pace, since: datetime, now: datetime, *, asks: bool = False
) -> Clock:
    """The time since then has not counted: there is as much as was left then, and no less than
    the fifth of which a reminder tells."""
    time_for_it = stage_time(pace, asks=asks)
    if clock.due_at is None or time_for_it is None:
        return clock
    left = max(clock.due_at - since, time_for_it / 5)
    return _running(clock, pace, _due(pace, now + left), now, asks=asks)


def at_least_a_fifth(clock: Clock, pace: Pace, *, asks: bool = False) -> Clock:
    """What is left on a standing clock is no less than the fifth of which a reminder tells."""
    time_for_it = stage_time(pace, asks=asks)
    if clock.left is None or time_for_it is None:
        return clock
    return replace(clock, left=max(clock.left, time_for_it / 5))


def reminded(clock: Clock) -> Clock:
    """The wizard has been reminded of this turn and will not be again."""
    return replace(clock, remind_at=None, is_reminded=True)


def _running(clock: Clock, pace: Pace, due_at: datetime, now: datetime, *, asks: bool) -> Clock:
    """The reminder comes when a fifth of the stage's time is left; at once if it is less."""
    remind_at = None
    if not clock.is_reminded:
        remind_at = max(due_at - (stage_time(pace, asks=asks) or timedelta(0)) / 5, now)
    return replace(clock, due_at=due_at, remind_at=remind_at, left=None)


def _due(pace: Pace, earliest: datetime) -> datetime:
    """The moment itself, or the first daily hour from then on."""
    if pace.daily_at is None:
        return earliest
    zone = ZoneInfo(pace.zone)
    today = earliest.astimezone(zone).date()
    # The day before counts too: clocks that are put back at midnight begin it again.
    days = [today + days * DAY for days in (-1, 0, 1)]
    moments = (moment for day in days for moment in _moments(day, pace.daily_at, zone))
    return min(moment for moment in moments if moment >= earliest)


def _moments(day: date, hour: time, zone: ZoneInfo) -> Iterator[datetime]:
    """When clocks show this hour on this day: twice if they are put back past it.

    An hour that they skip is taken at the moment when they jump.
    """
    first = datetime.combine(day, hour.replace(fold=0), zone).astimezone(UTC)
    second = datetime.combine(day, hour.replace(fold=1), zone).astimezone(UTC)
    if first <= second:
        yield from (first, second)
    else:
        # Of a skipped hour, `first` is read by the old offset and falls after the jump, `second`
        # by the new one and falls before it.
        yield _jump(second, first, zone)


def _jump(before: datetime, after: datetime, zone: ZoneInfo) -> datetime:
    """The second between the two from which the zone's new offset holds."""
    old = before.astimezone(zone).utcoffset()
    while after - before > timedelta(seconds=1):
        middle = before + (after - before) // 2
        middle = middle.replace(microsecond=0)
        if middle.astimezone(zone).utcoffset() == old:
            before = middle
        else:
            after = middle
    return after


def _in_words(seconds: int) -> str:
    """In the largest unit of which it is a whole number: "a day", "36 hours", "90 minutes"."""
    for unit, size in (("day", 24 * 3600), ("hour", 3600)):
        if seconds == size:
            return f"{'an' if unit == 'hour' else 'a'} {unit}"
        if seconds % size == 0:
            return _counted(seconds // size, unit)
    return _counted(seconds // 60, "minute")


def _counted(number: int, unit: str) -> str:
    return f"{NUMBERS.get(number, str(number))} {unit}s"
