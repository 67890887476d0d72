"""Vacation days: taking a vacation neither gains nor loses any."""

import ast
import inspect
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duels.clocks import vacation as vacation_module
from duels.clocks.clock import DAY
from duels.clocks.vacation import (
    MAX_SAVED_VACATION,
    MIN_VACATION,
    InvalidVacation,
    Savings,
    Vacation,
    initial_savings,
    possible_return_days,
    savings_after_end,
    savings_after_start,
    start_of_day,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)

ages = st.timedeltas(timedelta(0), timedelta(days=10 * 365))
saved_amounts = st.timedeltas(timedelta(0), MAX_SAVED_VACATION)


@st.composite
def affordable_vacations(draw: st.DrawFn) -> tuple[Savings, Vacation]:
    """Generate saved vacation days, and a vacation for which they suffice."""
    savings = Savings(draw(st.timedeltas(MIN_VACATION, MAX_SAVED_VACATION)), NOON)
    began_at = NOON + draw(ages)
    length = draw(st.timedeltas(MIN_VACATION, savings.saved_at(began_at)))
    return savings, Vacation(began_at, began_at + length)


# Examples


def test_player_starts_with_twenty_vacation_days_and_earns_one_every_eight_days() -> None:
    savings = initial_savings(NOON)
    assert savings.saved_at(NOON) == 20 * DAY
    assert savings.saved_at(NOON + 8 * DAY) == 21 * DAY
    assert savings.saved_at(NOON + 79 * DAY) < 30 * DAY
    assert savings.saved_at(NOON + 80 * DAY) == 30 * DAY
    assert savings.saved_at(NOON + 800 * DAY) == 30 * DAY


def test_unused_vacation_days_are_given_back() -> None:
    two_weeks = Vacation(NOON, NOON + 14 * DAY)
    left = savings_after_start(initial_savings(NOON), two_weeks)
    assert left.saved_at(NOON) == 6 * DAY
    after = savings_after_end(left, two_weeks, NOON + 8 * DAY)
    assert after.saved_at(NOON + 8 * DAY) == 6 * DAY + 1 * DAY + 6 * DAY
    assert savings_after_end(left, two_weeks, NOON + 15 * DAY).saved_at(NOON + 16 * DAY) == 8 * DAY


def test_vacation_that_is_ended_at_once_costs_a_day() -> None:
    """Otherwise players could stop clocks at will, and send opponents many emails."""
    week = Vacation(NOON, NOON + 7 * DAY)
    left = savings_after_start(initial_savings(NOON), week)
    assert savings_after_end(left, week, NOON).saved_at(NOON) == 19 * DAY
    assert savings_after_end(left, week, NOON + DAY / 2).saved == 19 * DAY + DAY / 16
    assert savings_after_end(left, week, NOON + DAY).saved == 19 * DAY + DAY / 8


@pytest.mark.parametrize(
    ("saved", "length", "code", "words"),
    [
        (20 * DAY, DAY - MICROSECOND, "too_short", "at least a day"),
        (20 * DAY, -DAY, "too_short", "at least a day"),
        (
            20 * DAY,
            20 * DAY + MICROSECOND,
            "not_saved",
            "have 20 days left, but this vacation would take 21 days",
        ),
        (3 * DAY / 2, 3 * DAY, "not_saved", "have a day left, but this vacation would take 3 days"),
        (DAY / 2, DAY, "not_saved", "have no days left, but this vacation would take a day"),
    ],
)
def test_impossible_vacations_are_rejected(
    saved: timedelta, length: timedelta, code: str, words: str
) -> None:
    with pytest.raises(InvalidVacation, match=words) as refused:
        savings_after_start(Savings(saved, NOON), Vacation(NOON, NOON + length))
    assert refused.value.code == code


# Properties


@given(saved_amounts, ages, ages)
def test_number_of_saved_vacation_days_grows_up_to_a_maximum(
    saved: timedelta, sooner: timedelta, more: timedelta
) -> None:
    savings = Savings(saved, NOON)
    one, other = savings.saved_at(NOON + sooner), savings.saved_at(NOON + sooner + more)
    assert saved <= one <= other <= MAX_SAVED_VACATION
    assert other - one <= more / 8 + MICROSECOND


@given(saved_amounts, ages, ages)
def test_number_of_saved_vacation_days_does_not_depend_on_how_often_it_is_computed(
    saved: timedelta, sooner: timedelta, more: timedelta
) -> None:
    savings, later = Savings(saved, NOON), NOON + sooner + more
    between = Savings(savings.saved_at(NOON + sooner), NOON + sooner)
    assert abs(between.saved_at(later) - savings.saved_at(later)) <= MICROSECOND


@given(affordable_vacations())
def test_vacation_costs_as_many_saved_days_as_it_lasts(case: tuple[Savings, Vacation]) -> None:
    savings, vacation = case
    left = savings_after_start(savings, vacation)
    before = savings.saved_at(vacation.began_at)
    assert left.saved_at(vacation.began_at) == before - (vacation.ends_at - vacation.began_at)
    assert left.saved >= timedelta(0)


@given(affordable_vacations(), st.floats(0, 2))
def test_vacation_that_ends_early_costs_the_same_as_a_shorter_one(
    case: tuple[Savings, Vacation], part: float
) -> None:
    """A vacation of a day or longer costs its actual length, whatever length was planned."""
    savings, vacation = case
    ended_at = vacation.began_at + (vacation.ends_at - vacation.began_at) * part
    ended_at = max(ended_at, vacation.began_at + MIN_VACATION)
    planned = Vacation(vacation.began_at, min(ended_at, vacation.ends_at))
    after = savings_after_end(savings_after_start(savings, vacation), vacation, ended_at)
    assert (
        abs(after.saved - savings_after_start(savings, planned).saved_at(ended_at)) <= MICROSECOND
    )
    assert after.counted_at == ended_at


@given(affordable_vacations(), st.timedeltas(timedelta(0), 2 * MAX_SAVED_VACATION))
def test_vacation_never_increases_the_number_of_saved_days(
    case: tuple[Savings, Vacation], after: timedelta
) -> None:
    savings, vacation = case
    ended_at = vacation.began_at + after
    rest = savings_after_end(savings_after_start(savings, vacation), vacation, ended_at)
    assert timedelta(0) <= rest.saved <= MAX_SAVED_VACATION
    assert (
        rest.saved <= savings.saved_at(vacation.began_at) - MIN_VACATION + after / 8 + MICROSECOND
    )
    assert timedelta(0) <= vacation.refund_at(ended_at) <= vacation.ends_at - vacation.began_at


@given(affordable_vacations(), ages)
def test_vacation_has_no_unused_days_after_its_end(
    case: tuple[Savings, Vacation], late: timedelta
) -> None:
    vacation = case[1]
    assert vacation.refund_at(vacation.ends_at + late) == timedelta(0)


zones = st.sampled_from(
    ("UTC", "Europe/Dublin", "Pacific/Apia", "America/Sao_Paulo", "Africa/Cairo", "Asia/Beirut")
).map(ZoneInfo)


@given(st.builds(Savings, saved_amounts, st.just(NOON)), ages, zones)
def test_form_offers_exactly_the_possible_days_of_return(
    savings: Savings, age: timedelta, zone: ZoneInfo
) -> None:
    now = NOON + age
    days = possible_return_days(savings, now, zone)
    today = now.astimezone(zone).date()
    for number in range(-1, 33):
        day = today + number * DAY
        is_offered = days is not None and days[0] <= day <= days[1]
        assert is_possible(savings, Vacation(now, start_of_day(day, zone))) == is_offered


def is_possible(savings: Savings, vacation: Vacation) -> bool:
    try:
        savings_after_start(savings, vacation)
    except InvalidVacation:
        return False
    return True


@pytest.mark.parametrize(
    ("zone", "day", "begins"),
    [
        ("UTC", date(2026, 3, 9), datetime(2026, 3, 9, tzinfo=UTC)),
        ("Asia/Kathmandu", date(2026, 3, 9), datetime(2026, 3, 8, 18, 15, tzinfo=UTC)),
        # clocks skip midnight, so the day begins at one
        ("America/Sao_Paulo", date(2018, 11, 4), datetime(2018, 11, 4, 3, tzinfo=UTC)),
    ],
)
def test_day_begins_at_midnight_in_its_time_zone(zone: str, day: date, begins: datetime) -> None:
    assert start_of_day(day, ZoneInfo(zone)) == begins


def test_vacation_module_never_reads_the_current_time() -> None:
    called = {
        node.func.attr
        for node in ast.walk(ast.parse(inspect.getsource(vacation_module)))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
    assert not called & {"now", "utcnow", "today"}
