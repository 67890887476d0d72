"""Tests of the countdown of a wizard's remaining time, which screen readers do not announce."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from duels.wording.moments import TIME_IS_UP_TEXT, left_words
from tests.browser.scenes import Desks, Scene, scenes
from tests.cast import NOW
from tests.sites import Site

OWN_CLOCK = "#live-due [data-due]"
OPPONENT_CLOCK = "#live-seals [data-due]"
LIVE_REGIONS = "[aria-live]:not([aria-live=off]), [role=status], [role=alert]"
NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"


@pytest.fixture(scope="module")
def prepared_scenes(embedded_site: Site) -> list[Scene]:
    return scenes(embedded_site, [{}] * 5)


def set_clocks(path: str, seconds: float | None, left: float | None = None) -> float:
    """Give both wizards this many seconds, and return the current time as a timestamp.

    With `left`, their clocks are stopped with that many seconds left. Call this with `Site.call`.
    """
    from django.utils import timezone

    from duels.models import Seat

    now = timezone.now()
    due_at = None if seconds is None else now + timedelta(seconds=seconds)
    Seat.objects.filter(duel=int(path.split("/")[2])).update(
        due_at=due_at,
        remind_at=due_at,
        awaited_since=now - timedelta(hours=1),
        clock_left=None if left is None else timedelta(seconds=left),
    )
    return now.timestamp()


def open_controlled_window(desks: Desks, scene: Scene, now: float) -> Page:
    """Open Ada's window without polls, with a clock that the test controls."""
    opened = desks.browser.new_context(base_url=desks.site.url)
    desks.windows.append(opened)
    opened.add_cookies([{"name": "sessionid", "value": scene.ada, "url": desks.site.url}])
    page = opened.new_page()
    page.route("**/poll*", lambda route: route.abort())
    page.clock.install(time=now)
    page.goto(scene.path)
    page.clock.pause_at(now + 60)
    return page


def with_no_break_spaces(text: str) -> str:
    return (
        text.replace(" ", NO_BREAK_SPACE)
        .replace(f",{NO_BREAK_SPACE}", ", ")
        .replace(f"{NO_BREAK_SPACE}left", " left")
    )


def test_remaining_time_is_counted_down_without_a_reload(
    desks: Desks, embedded_site: Site, prepared_scenes: Sequence[Scene]
) -> None:
    now = embedded_site.call(set_clocks, prepared_scenes[0].path, 12 * 60)
    page = open_controlled_window(desks, prepared_scenes[0], now)
    page.evaluate("window.isSame = true")
    for place in (OWN_CLOCK, f"{OPPONENT_CLOCK} >> nth=0", f"{OPPONENT_CLOCK} >> nth=1"):
        expect(page.locator(place)).to_have_text(with_no_break_spaces("11 minutes left"))
    page.clock.run_for(70_000)
    expect(page.locator(OWN_CLOCK)).to_have_text(with_no_break_spaces("9 minutes, 50 seconds left"))
    page.clock.run_for(1_000)
    expect(page.locator(OWN_CLOCK)).to_have_text(with_no_break_spaces("9 minutes, 49 seconds left"))
    page.clock.run_for(9 * 60_000 + 48_000)
    expect(page.locator(OWN_CLOCK)).to_have_text(with_no_break_spaces("1 second left"))
    page.clock.run_for(2_000)
    expect(page.locator(OWN_CLOCK)).to_have_text(TIME_IS_UP_TEXT)
    expect(page.locator(f"{OPPONENT_CLOCK} >> nth=1")).to_have_text(TIME_IS_UP_TEXT)
    assert page.evaluate("window.isSame === true")


def test_countdown_is_not_announced_by_screen_readers(
    desks: Desks, embedded_site: Site, prepared_scenes: Sequence[Scene]
) -> None:
    """Screen readers read the remaining time when they reach it, but do not announce changes."""
    now = embedded_site.call(set_clocks, prepared_scenes[1].path, 300)
    page = open_controlled_window(desks, prepared_scenes[1], now)
    for place in page.locator("[data-due]").all():
        assert place.evaluate(f"(place) => !place.closest('{LIVE_REGIONS}')")
        assert place.get_attribute("role") == "timer"  # screen readers do not announce timers


def test_countdown_stops_in_a_hidden_page_and_is_correct_afterwards(
    desks: Desks, embedded_site: Site, prepared_scenes: Sequence[Scene]
) -> None:
    now = embedded_site.call(set_clocks, prepared_scenes[2].path, 400)
    page = open_controlled_window(desks, prepared_scenes[2], now)
    expect(page.locator(OWN_CLOCK)).to_have_text(with_no_break_spaces("5 minutes, 40 seconds left"))
    set_hidden(page, hidden=True)
    page.clock.run_for(10_000)
    expect(page.locator(OWN_CLOCK)).to_have_text(with_no_break_spaces("5 minutes, 40 seconds left"))
    set_hidden(page, hidden=False)
    expect(page.locator(OWN_CLOCK)).to_have_text(with_no_break_spaces("5 minutes, 30 seconds left"))


def set_hidden(page: Page, *, hidden: bool) -> None:
    page.evaluate(
        "(value) => { Object.defineProperty(document, 'hidden', {value, configurable: true});"
        " document.dispatchEvent(new Event('visibilitychange')); }",
        hidden,
    )


def test_countdown_follows_stopped_and_changed_clocks(
    desks: Desks, embedded_site: Site, prepared_scenes: Sequence[Scene]
) -> None:
    embedded_site.call(set_clocks, prepared_scenes[3].path, None, 7200)
    page = desks.ada(prepared_scenes[3])
    expect(page.locator("#live-due")).to_contain_text("and the clock is stopped")
    expect(page.locator("[data-due]")).to_have_count(0)
    page.evaluate("window.isSame = true")
    embedded_site.call(set_clocks, prepared_scenes[3].path, 5 * 24 * 3600 - 1)
    expect(page.locator(OWN_CLOCK)).to_have_text(with_no_break_spaces("4 days, 23 hours left"))
    assert page.evaluate("window.isSame === true")


def test_countdown_uses_the_clock_of_the_site_not_of_the_browser(
    desks: Desks, embedded_site: Site, prepared_scenes: Sequence[Scene]
) -> None:
    now = embedded_site.call(set_clocks, prepared_scenes[4].path, 4 * 3600)
    page = desks.ada(prepared_scenes[4])
    page.clock.install(time=now + 2 * 3600)
    page.reload()
    expect(page.locator(OWN_CLOCK)).to_contain_text(with_no_break_spaces("3 hours, 5"))


TIMES_LEFT = [
    *(timedelta(seconds=seconds) for seconds in (-60, 0, 0.4, 1, 59, 60, 61, 119, 599, 600, 601)),
    *(timedelta(minutes=minutes) for minutes in (59, 60, 61, 90, 119, 120, 1439, 1440, 1441)),
    *(timedelta(hours=hours, seconds=-1) for hours in (1, 24, 25, 47, 48, 49, 72, 720)),
]
TIMES_SINCE_LOADING = [
    None,
    timedelta(0),
    timedelta(seconds=59),
    timedelta(seconds=60),
    timedelta(days=2),
]


def test_script_shows_remaining_time_in_the_same_words_as_pages(
    desks: Desks, prepared_scenes: Sequence[Scene]
) -> None:
    page = desks.ada(prepared_scenes[0])
    cases: list[tuple[datetime, datetime | None]] = [
        (NOW + span, None if passed is None else NOW - passed)
        for span in TIMES_LEFT
        for passed in TIMES_SINCE_LOADING
    ]
    told: list[Any] = page.evaluate(
        "async ([cases, now]) => {"
        " const {leftWords} = await import('/static/js/countdown.js');"
        " return cases.map(([due, since]) => leftWords(due, now, since ?? NaN)); }",
        [
            [[timestamp_ms(due), since and timestamp_ms(since)] for due, since in cases],
            timestamp_ms(NOW),
        ],
    )
    assert told == [left_words(due, NOW, since) for due, since in cases]


def timestamp_ms(at: datetime) -> float:
    return at.timestamp() * 1000
