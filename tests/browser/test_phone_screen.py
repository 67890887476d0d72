"""Tests that the order sheet and everything needed to decide fit on a phone's screen."""

import re
from typing import Any

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.one_screen import (
    LOW_WINDOW,
    PHONE,
    POLL_TIMEOUT,
    WIDE,
    bottom,
    box,
    can_be_clicked,
    is_on_screen,
    set_text_size,
    sticky_bars,
)
from tests.browser.person import load
from tests.browser.scenes import Desks, choose, choose_both, scenes
from tests.sites import Site

pytestmark = pytest.mark.timeout(600)

# Returns gestures of the sheet that leave their row or overlap another one.
MISPLACED_GESTURES = """() => [...document.querySelectorAll("#orders .trail")].flatMap(row => {
  const frame = row.getBoundingClientRect();
  const made = [...row.querySelectorAll("span:not(.hidden-text)")];
  const boxes = made.filter(each => each.checkVisibility()).map(each => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    const words = document.createRange();
    words.selectNodeContents(each);
    const icon = parseFloat(getComputedStyle(each, "::before").width);
    const letter = words.getBoundingClientRect();
    return { left, right: Math.max(right, left + icon + letter.width, letter.right), top, bottom };
  });
  const isOver = (one, two) => one.left < two.right - 1 && two.left < one.right - 1
    && one.top < two.bottom - 1 && two.top < one.bottom - 1;
  return boxes.filter((box, at) => box.left < frame.left - 1 || box.right > frame.right + 1
    || box.bottom > frame.bottom + 1 || boxes.slice(at + 1).some(next => isOver(box, next)));
})"""
MAX_BAR_HEIGHT = 150  # pixels that the bars may cover on a phone
TEXT_SIZES = ("normal", "large", "larger", "largest")


def test_damage_line_on_a_phone_shows_names_of_wizards_and_icons_of_monsters(
    open_state: Any,
) -> None:
    beings = open_state("two_monsters", PHONE).locator(".points-line li")
    expect(beings).to_have_count(4)
    you = beings.first.locator("span")
    assert you.evaluate("each => each.scrollWidth <= each.clientWidth"), "You is not cut off"
    for points in beings.locator("b").all():
        assert is_on_screen(points)
    icons = beings.locator(".sign")
    expect(icons).to_have_count(2)
    for icon in icons.all():
        assert is_on_screen(icon)


@pytest.mark.parametrize("size", [WIDE, LOW_WINDOW, PHONE], ids=["wide", "low", "phone"])
def test_summary_of_orders_is_shown_next_to_the_seal_button(
    desks: Desks, embedded_site: Site, size: ViewportSize
) -> None:
    """The summary is one sentence, followed by warnings.

    Orders with a one-handed clap must be confirmed once.
    """
    (scene,) = scenes(embedded_site)
    page = desks.ada(scene, viewport=size)
    foot = page.locator(".seal-bar")
    choose(page, "left", "W")
    assert is_on_screen(foot.locator("[data-to-seal]"))
    assert can_be_clicked(foot.locator("[data-to-seal]"))
    if size is PHONE:
        assert box(foot)["height"] <= 110
    choose(page, "left", "C")
    warning = foot.locator('[data-caution="half_a_clap"]')
    assert is_on_screen(warning)
    assert can_be_clicked(warning)
    page.get_by_role("button", name="Seal these orders").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator('[data-caution="half_a_clap"]')).to_be_visible()
    dialog.get_by_role("button", name="Back to order sheet").click()
    expect(page.locator("[data-receipt]")).to_have_count(0)
    choose(page, "right", "C")
    page.get_by_role("button", name="Seal these orders").click()
    expect(page.locator("[data-receipt]")).to_be_visible()  # both hands clap now


def test_summary_on_a_phone_shows_the_spells_of_both_hands(
    desks: Desks, embedded_site: Site
) -> None:
    """Warnings and monsters do not hide the spells, and the bars leave room for the sheet."""
    goblin = {"kind": "goblin", "controller": "w0"}
    wizards = [{"left": "-WPF", "right": "DFFD"}, {}]
    scene, crowd = scenes(
        embedded_site, [{"wizards": wizards}, {"wizards": wizards, "monsters": [goblin] * 4}]
    )
    summary = ".seal-bar .to-seal"
    for page in (desks.ada(scene, viewport=PHONE), desks.ada(crowd, viewport=PHONE)):
        choose_both(page, "DD")
        expect(page.locator(summary)).to_contain_text("casts Lightning Bolt at Bram")
        last = page.locator(f'{summary} a[href$="#spell:lightning_bolt"]')
        assert is_on_screen(last)
        assert can_be_clicked(last)
        with page.expect_response("**/sheet"):
            page.locator('select[name="right_subject"]').select_option("w0")
        expect(page.locator('.seal-bar [data-caution="harms_you"]')).to_be_visible()
        assert is_on_screen(last)
        assert can_be_clicked(last)
        assert sum(box(bar)["height"] for bar in sticky_bars(page)) <= MAX_BAR_HEIGHT


def test_foot_on_a_phone_stays_low_if_the_summary_is_long(open_state: Any) -> None:
    """A hasted wizard can complete four spells in one turn."""
    page = open_state("hasted", PHONE)
    page.evaluate("""() => {
        document.querySelector(".sheet").insertAdjacentHTML(
            "beforeend", '<div class="completed"><span class="spells"></span></div>');
        document.querySelector(".to-seal").textContent =
            "Your left hand makes W and casts Fire Storm at everybody; ".repeat(9);
    }""")
    (foot,) = sticky_bars(page)
    assert box(foot)["height"] <= MAX_BAR_HEIGHT


def test_newest_gestures_and_news_are_not_covered_on_a_phone(open_state: Any) -> None:
    page = open_state("two_monsters", PHONE)
    for side in ("left", "right"):
        trail = page.locator(f".hand-choice.{side} .trail").first
        made = trail.locator("span:not(.hidden-text)")
        seen = [each for each in made.all() if each.is_visible()]
        assert len(seen) == 4 < made.count()
        assert made.last.is_visible()
        frame = box(trail)
        for each in seen:
            assert box(each)["x"] >= frame["x"] - 0.5
            assert box(each)["x"] + box(each)["width"] <= frame["x"] + frame["width"] + 0.5
    played = page.get_by_role("link", name="Turn 4 has been played")
    assert is_on_screen(played)
    played.click()
    title, strip = page.locator("#report-title"), page.locator(".duel-bar")
    expect(title).to_be_in_viewport()
    assert box(title)["y"] >= bottom(strip)
    page.evaluate("location.hash = 'turn-4'")
    assert box(title)["y"] >= bottom(strip) - 1


def test_phone_shows_the_opponents_last_gestures_in_the_sheet(open_state: Any) -> None:
    """The gestures fit on one line. On a desktop, the history is next to the sheet instead."""
    page = open_state("two_monsters", PHONE)
    rivals, sheet = page.locator(".rivals"), page.locator("#orders")
    (line,) = rivals.locator("li").all()
    assert is_on_screen(line)
    assert can_be_clicked(line)
    assert box(sheet)["y"] < box(line)["y"] < bottom(line) <= box(page.locator(".hands"))["y"]
    made = {side: line.locator(f".{side} > span") for side in ("left", "right")}
    assert {side: "".join(found.all_inner_texts()) for side, found in made.items()} == {
        "left": "DFS",
        "right": "FSD",
    }
    for gesture in (*made["left"].all(), *made["right"].all()):
        assert box(line)["x"] <= box(gesture)["x"]
        assert box(gesture)["x"] + box(gesture)["width"] <= box(line)["x"] + box(line)["width"] + 1
    expect(open_state("two_monsters", WIDE).locator(".rivals")).to_be_hidden()


@pytest.mark.parametrize("size", TEXT_SIZES)
@pytest.mark.parametrize("state", ["two_monsters", "four_wizards"])
def test_rows_of_gestures_show_every_gesture(open_state: Any, state: str, size: str) -> None:
    page = open_state(state, PHONE)
    set_text_size(page, size)
    rows = page.locator("#orders .trail").all()
    shown = [row.locator("span:not(.hidden-text):visible").count() for row in rows]
    assert shown[-2:] == [4, 4]
    assert set(shown[:-2]) == {3}
    assert page.evaluate(MISPLACED_GESTURES) == []


@pytest.mark.parametrize("size", TEXT_SIZES)
def test_bars_leave_room_for_the_sheet_on_a_phone(open_state: Any, size: str) -> None:
    """With large text, the foot of the sheet scrolls with the page, and shows all it says."""
    page = open_state("first_turn", PHONE)
    set_text_size(page, size)
    fixed = sticky_bars(page)
    assert len(fixed) == (2 if size == "normal" else 1)
    assert sum(box(bar)["height"] for bar in fixed) <= MAX_BAR_HEIGHT
    clauses = page.locator(".to-seal > span").all()
    hands = [each.inner_text() for each in clauses]
    assert hands == ["Your left hand does nothing;", "your right hand does nothing."]
    for clause in clauses:
        assert bottom(clause) <= bottom(page.locator(".to-seal")) + 1


@pytest.mark.parametrize("size", TEXT_SIZES)
def test_bar_on_a_phone_does_not_cover_the_heading_of_a_report(open_state: Any, size: str) -> None:
    page = open_state("two_monsters", PHONE)
    set_text_size(page, size)
    page.evaluate("location.hash = document.querySelector('.told').id")
    expect(page.locator("#report-title")).to_be_in_viewport(ratio=1)
    assert box(page.locator("#report-title"))["y"] >= bottom(page.locator(".duel-bar")) - 1


def test_spell_can_be_looked_up_on_a_phone_without_leaving_the_sheet(open_state: Any) -> None:
    """The list of spells and a spell's text open in dialogs over the order sheet."""
    page = open_state("two_monsters", PHONE)
    before = page.url
    page.get_by_role("link", name="Find a spell").click()
    found = page.get_by_role("dialog", name="Find a spell")
    found.get_by_role("link", name="Shield", exact=True).click()
    spell = page.get_by_role("dialog", name="Shield")
    expect(spell).to_be_visible()
    spell.press("Escape")
    expect(spell).to_have_count(0)
    expect(found).to_be_visible()
    found.press("Escape")
    expect(found).to_have_count(0)
    assert page.url == before
    assert is_on_screen(page.locator(".seal-bar button.seal"))


def test_phone_shows_seals_and_links_to_a_played_turn(desks: Desks, embedded_site: Site) -> None:
    """A line shows who has sealed, and links to a played turn until its report has been read."""
    (scene,) = scenes(embedded_site)
    ada, bram = desks.ada(scene, viewport=PHONE), desks.bram(scene)
    bar = ada.locator(".duel-bar")
    waits = ada.get_by_text(re.compile(r"^Bram \w+ has sealed and is waiting for you\.$"))
    played = ada.get_by_role("link", name="Turn 1 has been played")
    for page in (bram, ada):
        choose_both(page, "W-")
        if page is ada:
            expect(waits).to_be_visible(timeout=POLL_TIMEOUT)
        page.get_by_role("button", name="Seal these orders").click()
    expect(ada.get_by_role("heading", name="Your orders for turn 2")).to_be_visible(
        timeout=POLL_TIMEOUT
    )
    expect(waits).to_have_count(0)
    load(ada, scene.path)
    expect(played).to_be_visible()
    played.click()
    expect(ada.locator("#report-title")).to_be_in_viewport()
    bar.get_by_role("link", name="Orders").click()
    expect(played).to_be_hidden()
