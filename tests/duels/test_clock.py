"""Calculation of deadlines for every pace, in every time zone and across clock changes."""

import ast
import inspect
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from duels.clocks import clock as clock_module
from duels.clocks.clock import (
    DAY,
    NO_CLOCK,
    NO_HURRY,
    THREE_DAYS,
    Clock,
    InvalidPace,
    Pace,
    Timing,
    clock_with_extension,
    extended_clock,
    new_clock,
    reminded_clock,
    restored_clock,
    resumed_clock,
    stopped_clock,
    zone_names,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DUBLIN_PACE = Pace(daily_at=time(21), zone="Europe/Dublin")
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
# Ordinary zones, and zones with unusual clock changes: by half an hour, two hours or a whole day,
# at midnight or a minute later, backwards in winter, and twice around Ramadan.
ODD_ZONES = (
    "UTC",
    "Europe/Dublin",
    "America/New_York",
    "Asia/Kathmandu",
    "Pacific/Chatham",
    "Australia/Lord_Howe",
    "Antarctica/Troll",
    "Pacific/Apia",
    "America/Sao_Paulo",
    "America/St_Johns",
    "Africa/Casablanca",
    "Asia/Gaza",
)

MILLENNIUM = datetime(2000, 1, 1, tzinfo=UTC)
moments = st.timedeltas(timedelta(0), timedelta(days=38 * 365)).map(lambda age: MILLENNIUM + age)
timed_paces = st.integers(5, 30 * 24 * 60).map(lambda minutes: Pace(seconds=minutes * 60))
hours = st.times().map(lambda at: at.replace(second=0, microsecond=0))
odd_zones = st.sampled_from(ODD_ZONES)
daily_paces = st.builds(Pace, daily_at=hours, zone=odd_zones)
daily_paces_anywhere = st.builds(Pace, daily_at=hours, zone=st.sampled_from(sorted(zone_names())))
hurried_paces = timed_paces | daily_paces
paces = st.just(NO_HURRY) | hurried_paces
spans = st.timedeltas(timedelta(0), timedelta(days=60))
asks = st.booleans()


@st.composite
def near_clock_change(draw: st.DrawFn) -> tuple[Pace, datetime]:
    """Generate a pace whose daily hour is near a clock change, and a moment before it."""
    zone = ZoneInfo(draw(odd_zones.filter(lambda name: name not in ("UTC", "Asia/Kathmandu"))))
    day = draw(moments).replace(hour=0, minute=0, second=0, microsecond=0)
    for _ in range(400):
        if day.astimezone(zone).utcoffset() != (day + DAY).astimezone(zone).utcoffset():
            break
        day += DAY
    else:
        assume(False)
    old = day.astimezone(zone).utcoffset()
    change = next(
        day + count * MINUTE
        for count in range(1, 1441)
        if (day + count * MINUTE).astimezone(zone).utcoffset() != old
    )
    near = (change + draw(st.integers(-180, 180)) * MINUTE).astimezone(zone)
    before = timedelta(minutes=draw(st.integers(0, 60 * 60)), seconds=draw(st.integers(0, 59)))
    return Pace(daily_at=near.time(), zone=zone.key), change - before


def is_daily_hour(pace: Pace, moment: datetime) -> bool:
    """Return whether the pace's daily hour begins, or is skipped, at this moment in its zone."""
    zone = ZoneInfo(pace.zone)
    wall, before = moment.astimezone(zone), (moment - MINUTE).astimezone(zone)
    assert pace.daily_at is not None
    if wall.time() == pace.daily_at:
        return True
    skipped = wall.replace(tzinfo=None) - before.replace(tzinfo=None) - MINUTE
    hours_skipped = (
        before.replace(tzinfo=None) + count * MINUTE for count in range(1, skipped // MINUTE + 1)
    )
    return any(hour.time() == pace.daily_at for hour in hours_skipped)


def first_daily_hour(pace: Pace, earliest: datetime) -> datetime:
    """Find the first daily hour that is not before this moment, by checking every minute."""
    moment = earliest.replace(second=0, microsecond=0)
    moment += MINUTE if moment < earliest else timedelta(0)
    while not is_daily_hour(pace, moment):
        moment += MINUTE
    return moment


def running_clock(pace: Pace, now: datetime, *, asks: bool = False) -> tuple[Clock, datetime]:
    clock = new_clock(Timing(pace, asks), now)
    assert clock.due_at is not None
    return clock, clock.due_at


# Paces


@given(paces)
def test_pace_is_unchanged_by_conversion_to_text_and_back(pace: Pace):
    assert Pace.parse(str(pace)) == pace


@given(daily_paces_anywhere)
def test_pace_with_a_daily_hour_can_be_in_every_time_zone(pace: Pace):
    assert Pace.parse(str(pace)) == pace
    assert running_clock(pace, NOON)[1] - NOON <= timedelta(hours=36)


@pytest.mark.parametrize(
    ("text", "pace", "words"),
    [
        ("none", NO_HURRY, "no hurry"),
        ("259200", THREE_DAYS, "three days for each turn"),
        ("300", Pace(seconds=300), "five minutes for each turn"),
        ("3600", Pace(seconds=3600), "an hour for each turn"),
        ("5400", Pace(seconds=5400), "90 minutes for each turn"),
        ("86400", Pace(seconds=86400), "a day for each turn"),
        ("129600", Pace(seconds=129600), "36 hours for each turn"),
        ("604800", Pace(seconds=604800), "seven days for each turn"),
        ("2592000", Pace(seconds=2592000), "30 days for each turn"),
        ("daily 21:00 Europe/Dublin", DUBLIN_PACE, "every day at 21:00 (Europe/Dublin)"),
    ],
)
def test_pace_has_a_code_and_a_description(text: str, pace: Pace, words: str):
    assert (Pace.parse(text), str(pace), pace.words) == (pace, text, words)


@pytest.mark.parametrize(
    ("text", "field", "sentence"),
    [
        ("", "pace", "Choose a pace from the list."),
        ("three_days", "pace", "Choose a pace from the list."),
        ("0", "pace", "Choose a pace from the list."),
        ("-300", "pace", "Choose a pace from the list."),
        ("0600", "pace", "Choose a pace from the list."),
        ("³⁰⁰", "pace", "Choose a pace from the list."),
        ("600 ", "pace", "Choose a pace from the list."),
        ("600\n", "pace", "Choose a pace from the list."),
        ("daily 9:00 Europe/Dublin", "pace", "Choose a pace from the list."),
        ("daily 21:00", "pace", "Choose a pace from the list."),
        ("240", "time", "Choose a time from 5 minutes to 30 days."),
        ("2592060", "time", "Choose a time from 5 minutes to 30 days."),
        ("301", "time", "The time for a turn must be whole minutes."),
        ("daily 24:00 Europe/Dublin", "time", "Enter an hour from 00:00 to 23:59."),
        ("daily 21:60 Europe/Dublin", "time", "Enter an hour from 00:00 to 23:59."),
        ("daily 21:00 Europe/Nowhere", "zone", "Choose a time zone from the list."),
        ("daily 21:00 ../../etc/passwd", "zone", "Choose a time zone from the list."),
        ("daily 21:00 localtime", "zone", "Choose a time zone from the list."),
    ],
)
def test_invalid_pace_is_rejected_with_a_message(text: str, field: str, sentence: str):
    with pytest.raises(InvalidPace) as refused:
        Pace.parse(text)
    assert (refused.value.field, refused.value.text) == (field, sentence)
    assert str(refused.value) == sentence


@given(st.text(max_size=40) | st.from_regex(r"(daily )?[0-9]{1,7}(:[0-9]{2})?( \w+/\w+)?"))
def test_only_one_text_is_accepted_for_each_pace(text: str):
    try:
        pace = Pace.parse(text)
    except InvalidPace:
        return
    assert str(pace) == text


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"seconds": 600, "daily_at": time(21), "zone": "UTC"}, "pace"),
        ({"seconds": 600, "zone": "UTC"}, "pace"),
        ({"seconds": -600}, "time"),
        ({"seconds": 10**30}, "time"),
        ({"zone": "UTC"}, "time"),
        ({"daily_at": time(21, 0, 30), "zone": "UTC"}, "time"),
        ({"daily_at": time(21)}, "zone"),
    ],
)
def test_contradictory_fields_of_a_pace_are_rejected(fields: dict[str, object], field: str):
    with pytest.raises(InvalidPace) as refused:
        Pace(**fields)  # type: ignore[arg-type]  # invalid on purpose
    assert refused.value.field == field


def test_pace_of_a_day_or_more_counts_as_slow():
    assert DUBLIN_PACE.is_slow
    assert THREE_DAYS.is_slow
    assert Pace(seconds=24 * 3600).is_slow
    assert not Pace(seconds=24 * 3600 - 60).is_slow
    assert not NO_HURRY.is_slow


def test_only_the_pace_without_deadlines_is_unhurried():
    assert NO_HURRY.is_unhurried
    assert not DUBLIN_PACE.is_unhurried
    assert not Pace(seconds=300).is_unhurried


def test_daily_pace_gives_each_turn_a_day():
    assert DUBLIN_PACE.turn_time == DAY
    assert THREE_DAYS.turn_time == 3 * DAY
    assert NO_HURRY.turn_time is None


# Starting


@given(paces)
def test_time_for_answers_is_a_quarter_of_a_slow_pace_and_at_least_an_hour(pace: Pace):
    whole, shorter = Timing(pace, False).whole, Timing(pace, True).whole
    assert whole == pace.turn_time
    if whole is None or shorter is None:
        assert pace.is_unhurried
        assert whole is shorter
    elif pace.is_slow:
        assert shorter * 4 == whole
        assert shorter >= HOUR
    else:
        assert shorter == whole


@given(moments, asks)
def test_unhurried_pace_never_has_a_clock(now: datetime, asks: bool):
    for is_stopped in (False, True):
        assert new_clock(Timing(NO_HURRY, asks), now, is_stopped=is_stopped) == NO_CLOCK
    assert stopped_clock(NO_CLOCK, now) == NO_CLOCK
    assert resumed_clock(NO_CLOCK, Timing(NO_HURRY, asks), now) == NO_CLOCK
    assert extended_clock(NO_CLOCK, Timing(NO_HURRY, asks), DAY, now) == NO_CLOCK
    assert clock_with_extension(NO_CLOCK, Timing(NO_HURRY, asks), now) == NO_CLOCK


@given(timed_paces, moments, asks)
def test_turn_is_due_when_its_time_is_over(pace: Pace, now: datetime, asks: bool):
    assert running_clock(pace, now, asks=asks)[1] - now == Timing(pace, asks).whole


@given(hurried_paces, moments, asks)
def test_turn_is_never_due_earlier_than_promised(pace: Pace, now: datetime, asks: bool):
    clock, due_at = running_clock(pace, now, asks=asks)
    promised = (DAY / 4 if asks else DAY / 2) if pace.daily_at else Timing(pace, asks).whole
    assert promised is not None
    assert due_at - now >= promised
    assert due_at.utcoffset() == timedelta(0)
    assert clock.left is None
    assert not clock.is_reminded


@given(near_clock_change(), asks)
@example(
    (Pace(daily_at=time(12), zone="Pacific/Apia"), datetime(2011, 12, 29, 5, tzinfo=UTC)), True
)
@example(
    (Pace(daily_at=time(0, 30), zone="Asia/Gaza"), datetime(2010, 3, 26, 3, tzinfo=UTC)), False
)
def test_daily_deadline_is_the_first_daily_hour_after_the_minimum_time(
    case: tuple[Pace, datetime], asks: bool
):
    pace, now = case
    at_least = DAY / 4 if asks else DAY / 2
    assert running_clock(pace, now, asks=asks)[1] == first_daily_hour(pace, now + at_least)


@pytest.mark.parametrize(
    ("hour", "now", "due_at"),
    [
        # an ordinary day in winter and in summer
        (time(21), "2026-01-10T09:00", "2026-01-10T21:00"),
        (time(21), "2026-01-10T09:01", "2026-01-11T21:00"),
        (time(21), "2026-07-10T08:00", "2026-07-10T20:00"),
        # 29 March 2026: 01:00 becomes 02:00. If the daily hour is skipped, the deadline is at the
        # change.
        (time(1, 30), "2026-03-28T10:00", "2026-03-29T01:00"),
        (time(1), "2026-03-28T10:00", "2026-03-29T01:00"),
        (time(2), "2026-03-28T10:00", "2026-03-29T01:00"),
        (time(0, 59), "2026-03-28T10:00", "2026-03-29T00:59"),
        # 25 October 2026: 02:00 becomes 01:00. If the daily hour occurs twice, each occurrence can
        # be a deadline.
        (time(1, 30), "2026-10-24T12:30", "2026-10-25T00:30"),
        (time(1, 30), "2026-10-24T12:31", "2026-10-25T01:30"),
        (time(1, 30), "2026-10-24T13:31", "2026-10-26T01:30"),
    ],
)
def test_deadline_at_a_daily_hour_in_dublin(hour: time, now: str, due_at: str):
    pace = Pace(daily_at=hour, zone="Europe/Dublin")
    at = datetime.fromisoformat(now).replace(tzinfo=UTC)
    assert running_clock(pace, at)[1] == datetime.fromisoformat(due_at).replace(tzinfo=UTC)


# Reminders


@given(hurried_paces, moments, asks)
def test_reminder_is_due_when_a_fifth_of_the_time_is_left(pace: Pace, now: datetime, asks: bool):
    clock, due_at = running_clock(pace, now, asks=asks)
    whole = Timing(pace, asks).whole
    assert whole is not None
    assert clock.remind_at is not None
    assert (due_at - clock.remind_at) * 5 == whole
    assert clock.remind_at > now


class RandomClock:
    """A clock that undergoes random events; invariants are checked after each event."""

    def __init__(self, pace: Pace, now: datetime, asks: bool) -> None:
        self.pace, self.now, self.asks = pace, now, asks
        self.clock = new_clock(Timing(pace, asks), now)
        self.reminders = 0

    def apply_event(self, event: str, span: timedelta) -> None:
        before = self.clock
        self.now += span
        if before.remind_at is not None and before.remind_at <= self.now and event == "remind":
            self.reminders += 1
            self.clock = reminded_clock(before)
        elif event == "stop":
            self.clock = stopped_clock(before, self.now)
        elif event == "continue":
            self.clock = resumed_clock(before, Timing(self.pace, self.asks), self.now)
        elif event == "extend":
            self.clock = extended_clock(before, Timing(self.pace, self.asks), span, self.now)
        elif event == "excuse":
            self.clock = clock_with_extension(before, Timing(self.pace, self.asks), self.now)
        if self.clock != before and self.clock.remind_at is not None:
            assert self.clock.remind_at >= self.now
        self.check_invariants(before)

    def check_invariants(self, before: Clock) -> None:
        clock = self.clock
        assert (clock.due_at is None) != (clock.left is None)
        assert clock.is_reminded == (self.reminders > 0)
        assert self.reminders <= 1
        if clock.due_at is None or clock.is_reminded:
            assert clock.remind_at is None
        else:
            assert clock.remind_at is not None
            assert clock.remind_at <= clock.due_at
        if before.due_at is not None and clock.due_at is not None:
            assert clock.due_at >= before.due_at
        if clock.left is not None:
            assert clock.left >= (before.left or timedelta(0))


@given(
    hurried_paces,
    moments,
    asks,
    st.lists(
        st.tuples(st.sampled_from(["remind", "stop", "continue", "extend", "excuse"]), spans),
        max_size=12,
    ),
)
def test_reminders_are_not_repeated_and_no_time_is_lost(
    pace: Pace, now: datetime, asks: bool, events: list[tuple[str, timedelta]]
):
    clock = RandomClock(pace, now, asks)
    for event, span in events:
        clock.apply_event(event, span)


@given(hurried_paces, moments, asks)
def test_reminder_is_not_repeated_after_a_pause(pace: Pace, now: datetime, asks: bool):
    clock, due_at = running_clock(pace, now, asks=asks)
    assert reminded_clock(clock) == Clock(due_at=due_at, is_reminded=True)
    again = resumed_clock(stopped_clock(reminded_clock(clock), now), Timing(pace, asks), now + DAY)
    assert (again.remind_at, again.is_reminded) == (None, True)


# Pauses


@given(timed_paces, moments, asks, spans, spans)
def test_pause_keeps_the_remaining_time(
    pace: Pace, now: datetime, asks: bool, before: timedelta, pause: timedelta
):
    clock, due_at = running_clock(pace, now, asks=asks)
    stopped = stopped_clock(clock, now + before)
    left = max(due_at - now - before, timedelta(0))
    assert stopped == Clock(left=left)
    assert stopped_clock(stopped, now + before + pause) == stopped
    again = resumed_clock(stopped, Timing(pace, asks), now + before + pause)
    assert again.due_at == now + before + pause + left
    assert again.left is None


@given(daily_paces, moments, asks, spans, spans)
def test_daily_deadline_after_a_pause_leaves_at_least_the_remaining_time(
    pace: Pace, now: datetime, asks: bool, before: timedelta, pause: timedelta
):
    clock, _ = running_clock(pace, now, asks=asks)
    stopped = stopped_clock(clock, now + before)
    assert stopped.left is not None
    later = now + before + pause
    again = resumed_clock(stopped, Timing(pace, asks), later)
    assert again.due_at == first_daily_hour(pace, later + stopped.left)


@given(hurried_paces, moments, asks)
def test_pause_of_zero_length_changes_nothing(pace: Pace, now: datetime, asks: bool):
    clock, _ = running_clock(pace, now, asks=asks)
    assert resumed_clock(stopped_clock(clock, now), Timing(pace, asks), now) == clock
    assert resumed_clock(clock, Timing(pace, asks), now) == clock


@given(hurried_paces, moments, asks)
def test_clock_can_be_stopped_from_the_start(pace: Pace, now: datetime, asks: bool):
    _, due_at = running_clock(pace, now, asks=asks)
    assert new_clock(Timing(pace, asks), now, is_stopped=True) == Clock(left=due_at - now)


# Extensions


@given(timed_paces, moments, asks, spans, spans)
def test_extension_counts_from_the_deadline_or_from_now_whichever_is_later(
    pace: Pace, now: datetime, asks: bool, by: timedelta, passed: timedelta
):
    clock, due_at = running_clock(pace, now, asks=asks)
    later = now + passed
    assert extended_clock(clock, Timing(pace, asks), by, later).due_at == max(due_at, later) + by
    stopped = stopped_clock(clock, now)
    assert extended_clock(stopped, Timing(pace, asks), by, later).left == due_at - now + by


@given(daily_paces, moments, asks, spans)
def test_extension_of_a_daily_pace_ends_at_a_daily_hour(
    pace: Pace, now: datetime, asks: bool, by: timedelta
):
    clock, due_at = running_clock(pace, now, asks=asks)
    assert extended_clock(clock, Timing(pace, asks), by, now).due_at == first_daily_hour(
        pace, due_at + by
    )


@given(hurried_paces, moments, spans, spans, asks)
def test_players_lose_no_time_in_an_outage(
    pace: Pace, now: datetime, before: timedelta, outage: timedelta, asks: bool
):
    clock, due_at = running_clock(pace, now, asks=asks)
    since = now + before
    again = restored_clock(clock, Timing(pace, asks), since, since + outage)
    fifth = (Timing(pace, asks).whole or DAY) / 5
    assert again.due_at is not None
    assert again.due_at >= since + outage + max(due_at - since, fifth)
    if pace.daily_at is None:
        assert again.due_at == since + outage + max(due_at - since, fifth)
    assert restored_clock(
        stopped_clock(clock, now), Timing(pace, asks), since, since
    ) == stopped_clock(clock, now)


def test_negative_extension_is_rejected():
    clock, _ = running_clock(THREE_DAYS, NOON)
    with pytest.raises(AssertionError, match="cannot be negative"):
        extended_clock(clock, Timing(THREE_DAYS), -MINUTE, NOON)


@given(timed_paces, moments, asks, spans)
def test_automatic_extension_is_half_the_time_for_orders_or_answers(
    pace: Pace, now: datetime, asks: bool, passed: timedelta
):
    clock, due_at = running_clock(pace, now, asks=asks)
    whole = Timing(pace, asks).whole
    assert whole is not None
    later = due_at + passed
    assert clock_with_extension(clock, Timing(pace, asks), later).due_at == later + whole / 2


def test_automatic_extension_on_a_daily_pace_lasts_a_day():
    clock, due_at = running_clock(DUBLIN_PACE, NOON)
    assert clock_with_extension(clock, Timing(DUBLIN_PACE), due_at).due_at == due_at + DAY


# Imports


def test_clock_module_imports_neither_django_nor_project_modules():
    tree = ast.parse(inspect.getsource(clock_module))
    imported = {
        name
        for node in ast.walk(tree)
        for name in (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else []
        )
    }
    known = {"bisect", "collections.abc", "dataclasses", "datetime", "functools", "re"}
    known |= {"typing", "zoneinfo"}
    assert imported == known


def test_clock_module_never_reads_the_current_time():
    asked = {
        node.attr
        for node in ast.walk(ast.parse(inspect.getsource(clock_module)))
        if isinstance(node, ast.Attribute)
    }
    assert not asked & {"now", "today", "utcnow", "time_ns", "monotonic"}
