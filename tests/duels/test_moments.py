"""Remaining time as text, which is rounded down to a whole unit after the first minute."""

import re
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duels.wording.moments import TIME_IS_UP_TEXT, left_words, span_words, stopped_words
from tests.cast import NOW

UNITS = {
    "day": timedelta(days=1),
    "hour": timedelta(hours=1),
    "minute": timedelta(minutes=1),
    "second": timedelta(seconds=1),
}
time_spans = st.timedeltas(timedelta(0), timedelta(days=400))


def with_ordinary_spaces(words: str) -> str:
    """Return the text with ordinary spaces instead of those between numbers and their units."""
    return words.replace("\N{NO-BREAK SPACE}", " ")


def parse_time_span(words: str) -> tuple[timedelta, timedelta]:
    """Return the time span stated in this text, and the smallest unit that the text could state."""
    found = [
        (int(count), unit)
        for count, unit in re.findall(r"(\d+) ([a-z]+?)s?\b", with_ordinary_spaces(words))
    ]
    told = sum((count * UNITS[unit] for count, unit in found), timedelta(0))
    largest = found[0][1] if found[0][0] else "second"
    if told < timedelta(minutes=10):
        return told, UNITS["second"]
    return told, UNITS["hour" if largest == "day" else "minute"]


@given(time_spans)
def test_time_span_is_rounded_down_to_its_smallest_unit(span: timedelta):
    told, unit = parse_time_span(span_words(span))
    assert told <= span < told + unit


@pytest.mark.parametrize(
    ("span", "words"),
    [
        (timedelta(0), "0 seconds"),
        (timedelta(seconds=1), "1 second"),
        (timedelta(seconds=59), "59 seconds"),
        (timedelta(minutes=1), "1 minute"),
        (timedelta(minutes=9, seconds=59), "9 minutes, 59 seconds"),
        (timedelta(minutes=10), "10 minutes"),
        (timedelta(minutes=59, seconds=59), "59 minutes"),
        (timedelta(hours=1), "1 hour"),
        (timedelta(hours=23, minutes=59), "23 hours, 59 minutes"),
        (timedelta(days=1), "1 day"),
        (timedelta(days=2, minutes=59), "2 days"),
        (timedelta(days=2, hours=23, minutes=59), "2 days, 23 hours"),
        (timedelta(days=30), "30 days"),
    ],
)
def test_span_as_text(span: timedelta, words: str):
    assert with_ordinary_spaces(span_words(span)) == words


@pytest.mark.parametrize(
    ("passed", "words"),
    [
        (timedelta(0), "3 days left"),
        (timedelta(seconds=59), "3 days left"),
        (timedelta(minutes=1), "2 days, 23 hours left"),
        (timedelta(days=1), "2 days left"),
        (timedelta(days=1, seconds=1), "1 day, 23 hours left"),
        (timedelta(days=2, hours=23, minutes=50, seconds=1), "9 minutes, 59 seconds left"),
        (timedelta(days=2, hours=23, minutes=59, seconds=59), "1 second left"),
        (timedelta(days=3), TIME_IS_UP_TEXT),
        (timedelta(days=9), TIME_IS_UP_TEXT),
    ],
)
def test_remaining_time_of_a_three_day_turn_is_written_as_text(passed: timedelta, words: str):
    assert (
        with_ordinary_spaces(left_words(NOW + timedelta(days=3), NOW + passed, since=NOW)) == words
    )


def test_text_for_the_remaining_time_depends_on_the_whole_time():
    assert with_ordinary_spaces(
        left_words(NOW + timedelta(days=3), NOW + timedelta(seconds=1))
    ) == ("2 days, 23 hours left")
    # less than an hour is not rounded up, even in the first minute
    due = NOW + timedelta(minutes=5)
    assert with_ordinary_spaces(left_words(due, NOW + timedelta(seconds=1), since=NOW)) == (
        "4 minutes, 59 seconds left"
    )


@given(st.timedeltas(timedelta(0), timedelta(days=40)), time_spans)
def test_remaining_time_is_rounded_up_only_in_the_first_minute(passed: timedelta, whole: timedelta):
    due, now = NOW + whole, NOW + passed
    words = left_words(due, now, since=NOW)
    if words == TIME_IS_UP_TEXT:
        assert now >= due
        return
    told, unit = parse_time_span(words)
    most = passed if passed < timedelta(minutes=1) else timedelta(0)
    assert told - (due - now) <= most
    assert due - now < told + unit


def test_remaining_time_on_a_stopped_clock_is_written_as_text():
    assert (
        with_ordinary_spaces(stopped_words(timedelta(hours=2)))
        == "2 hours left, and the clock is stopped"
    )
    assert (
        with_ordinary_spaces(stopped_words(timedelta(0)))
        == "no time left, and the clock is stopped"
    )
