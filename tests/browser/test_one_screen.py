"""Tests that a turn fits on one screen.

At 1440 x 900 the orders and everything needed to decide are visible without scrolling. On a phone,
damage, the order sheet and the seal button come first, and everything else is one tap away.
"""

import re
from typing import Any

import pytest
from playwright.sync_api import Error as PageError
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.one_screen import (
    LOW_WINDOW,
    PHONE,
    STATES,
    STATES_WITH_MANY_WIZARDS,
    WIDE,
    bottom,
    box,
    can_be_clicked,
    fits_window,
    is_on_screen,
)
from tests.browser.scenes import Desks, choose_both, scenes
from tests.sites import Site

pytestmark = pytest.mark.timeout(600)
STATES_WITH_SHEET = (
    "first_turn",
    "long_duel",
    "hasted",
    "blind",
    "two_monsters",
    "draw_offered",
    "warlocks",
)
DRAW_OFFER = re.compile(r"Bram \w+ offers a draw\.")
# Returns how many pixels each part of the right column overlaps the part below it.
SIZES_OF_OVERLAPS = """() => {
  const parts = [...document.querySelectorAll(
    ".duel-seals, .duel-standing, .duel-report, .duel-history, .duel-progress, .duel-talk"
  )].filter(part => part.offsetHeight && part.closest(".duel-second"));
  const spans = parts.map(part => {
    const own = part.getBoundingClientRect();
    const inside = [...part.querySelectorAll(".leaf")].map(leaf => leaf.getBoundingClientRect());
    return { top: own.top, bottom: Math.max(own.bottom, ...inside.map(each => each.bottom)) };
  });
  const over = spans.slice(1).map((span, at) => Math.round(spans[at].bottom - span.top));
  return over.filter(by => by > 1);
}"""
# Returns the number of history rows that the frame cuts off or its head covers.
COUNT_SLICED_ROWS = """() => {
  const rows = [...document.querySelectorAll(".duel-now .history tbody tr")];
  return rows.filter(row => {
    const frame = row.closest(".history-frame").getBoundingClientRect();
    const head = row.closest("table").tHead.getBoundingClientRect();
    const { top, bottom, height } = row.getBoundingClientRect();
    return height && (top < head.bottom - 2 || bottom > frame.bottom + 2);
  }).length;
}"""


@pytest.mark.parametrize("state", STATES)
def test_whole_turn_fits_on_one_wide_screen(open_state: Any, state: str) -> None:
    """The screen shows damage, effects, the last report, recent rows and the whole order sheet.

    A finished duel begins with its story instead of damage and effects.
    """
    page = open_state(state, WIDE)
    assert fits_window(page)
    if state != "over":  # a finished duel begins with its story
        for being in page.locator(".standing .beings > li").all():
            assert is_on_screen(being)
    assert is_on_screen(page.locator(".history tbody tr").last)
    if page.locator("#news").count():
        assert is_on_screen(page.locator("#report-title"))
        assert is_on_screen(page.locator("#news .told li").first)
    if state == "answers":
        assert is_on_screen(page.locator("#questions"))
    if state == "sealed":
        assert is_on_screen(page.locator("[data-receipt]"))
    if state == "over":
        assert is_on_screen(page.locator("[data-outcome]"))
        assert bottom(page.locator("[data-outcome]")) < box(page.locator(".duel-table"))["y"]
    if state in STATES_WITH_SHEET:
        seal, foot = page.locator(".seal-bar button.seal"), page.locator(".seal-bar")
        assert is_on_screen(seal)
        assert can_be_clicked(seal)
        first_set = page.locator(".hands").first.locator(".gesture-choice")
        for part in (*first_set.all(), *page.locator("#sheet-rest > .order-rows select").all()):
            assert is_on_screen(part)
            assert bottom(part) <= box(foot)["y"]


@pytest.mark.parametrize("state", STATES)
def test_phone_shows_damage_and_sheet_first_and_other_parts_after_a_tap(
    open_state: Any, state: str
) -> None:
    page = open_state(state, PHONE)
    assert fits_window(page)
    wounds = page.locator(".points-line")
    assert box(wounds)["height"] < 2 * box(wounds.locator("b").first)["height"]
    if state == "over":
        assert is_on_screen(page.locator("[data-outcome]"))
        assert bottom(page.locator(".outcome")) <= box(wounds)["y"]
    else:
        assert is_on_screen(wounds)
    own = page.locator("#orders, #questions")
    if own.count():
        assert bottom(wounds) <= box(own)["y"] < PHONE["height"] / 2
        for place in ("#news", "#history", "#standing", ".duel-seals"):
            if page.locator(place).count():
                assert box(page.locator(place))["y"] >= bottom(own)
    if state in STATES_WITH_SHEET:
        seal = page.locator(".seal-bar button.seal")
        assert is_on_screen(seal)
        assert can_be_clicked(seal)
        choice = page.locator(".gesture-choice").first
        assert bottom(choice) <= box(page.locator(".seal-bar"))["y"]
    ways = page.get_by_role("navigation", name="Parts of this page")
    if page.locator("#news").count():
        ways.get_by_role("link", name="Report").click()
        expect(page.locator("#report-title")).to_be_in_viewport()
        assert box(page.locator("#report-title"))["y"] >= bottom(wounds)
    ways.get_by_role("link", name="History").click()
    expect(page.locator(".history tbody tr").last).to_be_in_viewport()
    assert box(page.locator(".duel-bar"))["y"] == 0


@pytest.mark.parametrize("size", [WIDE, LOW_WINDOW], ids=["wide", "low"])
@pytest.mark.parametrize("state", ["long_duel", "two_monsters", "sealed", "spectator"])
def test_second_column_does_not_cut_off_or_cover_anything(
    open_state: Any, state: str, size: ViewportSize
) -> None:
    """At least three whole rows are shown.

    If the report is cut short, a checkbox shows the rest.
    """
    page = open_state(state, size)
    assert page.evaluate(SIZES_OF_OVERLAPS) == []
    assert page.evaluate(COUNT_SLICED_ROWS) == 0
    rows = page.locator(".duel-now .history tbody tr:visible")
    shown, every = rows.count(), page.locator(".duel-now .history tbody tr").count()
    assert shown >= min(3, every)
    lines = page.locator("#news .told li")
    if size is LOW_WINDOW:
        assert shown == every
        assert lines.count() == page.locator("#news .told li:visible").count()
        return
    if state == "long_duel":
        assert shown > 4  # more rows fit because the report above them is short
    for row in rows.all():
        assert is_on_screen(row)
    for line in page.locator("#news .told li:visible").all():
        assert is_on_screen(line)
    if shown < every:
        page.get_by_label("All rows").press("Space")
        assert page.locator(".duel-now .history tbody tr:visible").count() == every
        assert page.evaluate(SIZES_OF_OVERLAPS) == []
        page.reload()
        expect(page.get_by_label("All rows")).to_be_checked()


def wait_for_value(page: Page, script: str, wanted: object) -> None:
    """Wait until the script returns the expected value."""
    found: object = None
    for _ in range(100):
        try:
            found = page.evaluate(script)
        except PageError as error:
            found = error
        if found == wanted:
            return
        page.wait_for_timeout(100)
    assert found == wanted


@pytest.mark.parametrize("size", [WIDE, LOW_WINDOW], ids=["wide", "low"])
def test_nothing_is_covered_after_a_live_reveal_or_after_taking_a_seal_back(
    desks: Desks, embedded_site: Site, size: ViewportSize
) -> None:
    (scene,) = scenes(embedded_site)
    ada, bram = desks.ada(scene, viewport=size), desks.bram(scene, viewport=size)
    choose_both(ada, "W-")
    ada.get_by_role("button", name="Seal these orders").click()
    expect(ada.locator("[data-receipt]")).to_be_visible()
    wait_for_value(ada, SIZES_OF_OVERLAPS, [])
    ada.get_by_role("button", name="Unseal").click()
    expect(ada.get_by_text("You have not sealed yet")).to_be_visible()
    wait_for_value(ada, SIZES_OF_OVERLAPS, [])
    for page in (ada, bram):
        choose_both(page, "SF")
        page.get_by_role("button", name=re.compile("^(Seal these|Change) orders")).click()
        expect(page.locator("[data-receipt], #turn-1").first).to_be_visible()
    expect(ada.locator("#turn-1")).to_be_visible()  # a poll updates the page
    for page in (ada, bram):
        wait_for_value(page, SIZES_OF_OVERLAPS, [])
        wait_for_value(page, COUNT_SLICED_ROWS, 0)


def test_draw_offer_can_be_answered_next_to_the_seal_button(open_state: Any) -> None:
    for size in (WIDE, PHONE):
        page = open_state("draw_offered", size)
        foot = page.locator(".seal-bar")
        expect(foot).to_contain_text(DRAW_OFFER)
        for name in ("Agree to a draw", "Decline", "Seal these orders"):
            button = foot.get_by_role("button", name=name)
            assert is_on_screen(button)
            assert can_be_clicked(button)
        expect(page.get_by_role("button", name="Offer a draw")).to_have_count(0)
    page.get_by_role("button", name="Decline").click()
    expect(page.get_by_text(DRAW_OFFER)).to_have_count(0)
    page.get_by_role("button", name="Offer a draw").click()
    expect(page.locator("#live-ending").get_by_text("You have offered a draw.")).to_be_visible()
    page.get_by_role("button", name="Withdraw draw offer").click()
    expect(page.get_by_text("You have offered a draw.")).to_have_count(0)


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_whole_turn_fits_on_one_screen_without_javascript(
    open_state: Any, size: ViewportSize
) -> None:
    page = open_state("two_monsters", size, script=False)
    seal = box(page.locator(".seal-bar button.seal"))
    assert seal["y"] + seal["height"] <= size["height"]
    row = box(page.locator(".history tbody tr").last)
    frame = box(page.locator(".history-frame"))
    assert row["y"] + row["height"] <= frame["y"] + frame["height"] + 1
    for name in ("Preview", "Save draft"):
        expect(page.get_by_role("button", name=name)).to_be_in_viewport()


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_buttons_to_take_the_seal_back_and_change_orders_are_adjacent(
    open_state: Any, size: ViewportSize
) -> None:
    """Both buttons that change a seal stay together when the order sheet is opened."""
    page = open_state("sealed", size)
    change, unseal = (
        page.get_by_text("Change your orders", exact=True),
        page.get_by_role("button", name="Unseal"),
    )
    assert abs(box(change)["y"] - box(unseal)["y"]) < 2
    assert box(unseal)["x"] > box(change)["x"] + box(change)["width"]
    expect(unseal).to_have_count(1)
    change.click(position={"x": 20, "y": 20})
    assert box(unseal)["x"] > box(change)["x"] + 100  # a double click does not press it
    expect(page.locator(".seal-bar").get_by_role("button", name="Seal new orders")).to_be_visible()
    expect(unseal).to_have_count(1)


@pytest.mark.parametrize("size", [WIDE, LOW_WINDOW, PHONE], ids=["wide", "low", "phone"])
@pytest.mark.parametrize("state", STATES_WITH_MANY_WIZARDS)
def test_history_of_many_wizards_does_not_cut_off_rows(
    open_state: Any, state: str, size: ViewportSize
) -> None:
    """No row is cut off, a checkbox shows the hidden rows, and the history does not scroll."""
    page = open_state(state, size)
    rows, every = page.locator(".history tbody tr:visible"), page.locator(".history tbody tr")
    whole = "frame => frame.scrollHeight <= frame.clientHeight + 1"
    assert page.locator(".history-frame").evaluate(whole)
    if size is not LOW_WINDOW or state == "eight_wizards":
        assert 3 <= rows.count() < every.count()
        page.get_by_label("All rows").check()
    assert rows.count() == every.count()
    assert page.locator(".history-frame").evaluate(whole)


def test_gesture_keys_work_while_a_checkbox_outside_the_sheet_has_the_focus(
    open_state: Any,
) -> None:
    page = open_state("eight_wizards", WIDE)
    lines = page.locator(".more-lines input")
    lines.check()
    page.keyboard.press("-")
    expect(page.locator('input[name="left"][value="-"]')).to_be_focused()
    lines.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Seal these orders?")).to_be_visible()


def test_low_window_links_to_news_that_is_out_of_view(open_state: Any) -> None:
    page = open_state("two_monsters", LOW_WINDOW)
    link = page.get_by_role("link", name="Turn 4 has been played")
    assert is_on_screen(link)
    link.click()
    expect(page.locator("#report-title")).to_be_in_viewport()
    expect(page.locator("#news li").first).to_be_in_viewport()
    expect(open_state("eight_wizards", WIDE).locator(".played")).to_be_visible()
    expect(open_state("two_monsters", WIDE).locator(".played")).to_be_hidden()  # news is in view
