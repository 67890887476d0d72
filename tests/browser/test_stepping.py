"""Tests of stepping through the turns of a sample game and a duel, by keys and slider."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from duels.games import sample_games
from tests.browser.scenes import wait_until_held
from tests.browser.windows import close_window
from tests.sites import Site

GAME_PATH = "/rules/bartle-1/games/black-and-white/"
GAME_FILE = Path(__file__).parent.parent / "engine" / "sample_games" / "black_and_white.json"
GAME_TURNS = json.loads(GAME_FILE.read_text("utf-8"))["record"]["turns"]
GAME_REMARKS = sample_games()["black-and-white"].remarks
LAST_TURN = len(GAME_TURNS)
GRID_SELECTOR = ".history-frame"
SLIDER_SELECTOR = "[data-step-slider]"


@pytest.fixture
def page(browser: Browser, embedded_site: Site) -> Iterator[Page]:
    window = browser.new_context(base_url=embedded_site.url)
    yield window.new_page()
    close_window(window)


@pytest.fixture(scope="session")
def finished_duel(embedded_site: Site) -> str:
    """Return the address of a finished duel of five turns; Ada was invisible in the fifth."""
    return embedded_site.call(play_duel)


def play_duel() -> str:
    """Play the duel and return its address. Call this with `Site.call`."""
    from django.utils import timezone

    from duels.commands import endings
    from tests.cast import begin, hands, make_wizard, play

    ada, bram = make_wizard("Ada"), make_wizard("Bram")
    duel = begin(ada, bram)
    for left, right in (("P", "S"), ("P", "D"), ("W", "W"), ("S", "S"), ("D", "F")):
        play(duel, {ada: hands(left, right), bram: hands("-", "-")})
    endings.resign(duel_id=duel.pk, wizard=bram, now=timezone.now())
    return f"/duels/{duel.pk}/"


def open_page(page: Page, path: str) -> None:
    """Open this address, and set a mark that a reload would remove."""
    page.goto(path)
    page.evaluate("window.isStillHere = true")


def was_not_reloaded(page: Page) -> bool:
    return bool(page.evaluate("window.isStillHere === true"))


def collapse_whitespace(remark: str) -> str:
    return " ".join(remark.split())


def assert_shows_turn(page: Page, number: int, path: str = f"{GAME_PATH}open/") -> None:
    """Assert that every part of the page shows this turn.

    The parts are the address, title, heading, step bar, damage and remark.
    """
    expect(page.locator("h1")).to_contain_text(re.compile(rf"^Turn {number} "))
    expect(page).to_have_url(re.compile(rf"{path}{number}/$"))
    expect(page).to_have_title(re.compile(rf"turn {number} ·"))
    expect(page.locator("[data-step-count]")).to_have_text(f"{number} of {LAST_TURN}")
    expect(page.locator(SLIDER_SELECTOR)).to_have_value(str(number))
    damage = list(GAME_TURNS[number - 1]["damage"].values())
    standings = page.locator(".standings [data-damage]").all()
    assert [int(each.get_attribute("data-damage") or "") for each in standings] == damage
    for being, suffered in zip(("w0", "w1"), damage, strict=True):
        shown = page.locator(f'[data-being="{being}"] [data-damage]')
        expect(shown).to_have_attribute("data-damage", str(suffered))
    expect(page.locator(".remark p").first).to_have_text(
        collapse_whitespace(GAME_REMARKS[number - 1])
    )
    assert page.locator(".history tr[data-turn]").last.get_attribute("data-turn") == str(number)


def test_keys_step_through_a_sample_game(page: Page) -> None:
    """rules: F77.

    Keys step to the end and back without a reload, but only while the history has the focus.
    """
    open_page(page, f"{GAME_PATH}open/1/")
    page.locator(GRID_SELECTOR).focus()
    for number in range(1, LAST_TURN + 1):
        assert_shows_turn(page, number)
        expect(page.locator(GRID_SELECTOR)).to_be_focused()
        page.keyboard.press("ArrowRight")
    expect(page.locator("[data-step-status]")).to_have_text("This is the last turn.")
    for number in range(LAST_TURN - 1, LAST_TURN - 4, -1):
        page.keyboard.press("ArrowLeft")
        assert_shows_turn(page, number)
    page.keyboard.press("Home")
    assert_shows_turn(page, 1)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-step-status]")).to_have_text("This is the first turn.")
    page.keyboard.press("End")
    assert_shows_turn(page, LAST_TURN)
    assert was_not_reloaded(page)


def test_slider_steps_through_a_sample_game(page: Page) -> None:
    """rules: F77"""
    open_page(page, f"{GAME_PATH}open/1/")
    page.locator(SLIDER_SELECTOR).focus()
    for number in range(1, LAST_TURN + 1):
        assert_shows_turn(page, number)
        expect(page.locator(SLIDER_SELECTOR)).to_be_focused()
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    assert_shows_turn(page, 1)
    assert was_not_reloaded(page)


def test_dragging_the_slider_adds_one_entry_to_the_browser_history(page: Page) -> None:
    """Turns are shown while the slider is dragged, and the back button undoes the drag."""
    open_page(page, f"{GAME_PATH}open/3/")
    box = page.locator(SLIDER_SELECTOR).bounding_box()
    assert box
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.1, y)
    page.mouse.down()
    for share in (0.3, 0.6, 0.99):
        page.mouse.move(box["x"] + box["width"] * share, y, steps=4)
        turn = page.locator(SLIDER_SELECTOR).input_value()
        expect(page.locator("h1")).to_contain_text(f"Turn {turn} ")
    expect(page.locator("h1")).to_contain_text(
        f"Turn {LAST_TURN} "
    )  # the mouse button is still pressed
    page.mouse.up()
    assert_shows_turn(page, LAST_TURN)
    page.go_back()
    assert_shows_turn(page, 3)
    page.go_forward()
    assert_shows_turn(page, LAST_TURN)
    assert was_not_reloaded(page)


def test_back_button_goes_back_step_by_step(page: Page) -> None:
    open_page(page, f"{GAME_PATH}open/5/")
    page.locator('[data-step="after"]').click()
    assert_shows_turn(page, 6)
    expect(page.locator('[data-step="after"]')).to_be_focused()
    page.locator('[data-step="last"]').click()
    assert_shows_turn(page, LAST_TURN)
    page.locator('.history th a[href$="/20/"]').click()
    assert_shows_turn(page, 20)
    for number in (LAST_TURN, 6, 5):
        page.go_back()
        assert_shows_turn(page, number)
    page.go_forward()
    assert_shows_turn(page, 6)
    assert was_not_reloaded(page)


def test_screen_readers_announce_each_step(page: Page) -> None:
    """The announcement names the turn, its place in the game, and the damage of both wizards."""
    open_page(page, f"{GAME_PATH}open/5/")
    status = page.locator("[data-step-status]")
    expect(status).to_have_text("")
    page.locator(GRID_SELECTOR).focus()
    page.keyboard.press("ArrowRight")
    expect(status).to_have_text("Turn 6, 6 of 22. Black, 1 damage; White, 3 damage.")
    expect(page.locator(SLIDER_SELECTOR)).to_have_attribute("aria-valuetext", "Turn 6")


def test_observer_can_be_changed_without_a_reload(page: Page) -> None:
    """rules: F37. The chosen observer is kept in further steps."""
    open_page(page, f"{GAME_PATH}open/17/")
    fogged = page.locator(".history td.fogged")
    expect(fogged).to_have_count(0)
    page.get_by_role("link", name="As White saw it").click()
    assert_shows_turn(page, 17, f"{GAME_PATH}white/")
    expect(fogged).to_have_count(4)
    expect(page.get_by_role("link", name="As White saw it")).to_be_focused()
    page.locator(GRID_SELECTOR).focus()
    page.keyboard.press("ArrowRight")
    assert_shows_turn(page, 18, f"{GAME_PATH}white/")
    expect(fogged).to_have_count(6)
    page.locator(SLIDER_SELECTOR).focus()
    page.keyboard.press("ArrowLeft")
    assert_shows_turn(page, 17, f"{GAME_PATH}white/")
    assert was_not_reloaded(page)


def test_arrows_work_without_focus_and_all_step_keys_can_be_turned_off(page: Page) -> None:
    """Home and End only work in the history, because they also scroll. WCAG 2.1.4"""
    open_page(page, f"{GAME_PATH}open/5/")
    page.keyboard.press("ArrowRight")
    assert_shows_turn(page, 6)
    page.locator("main").focus()
    page.keyboard.press("ArrowLeft")
    assert_shows_turn(page, 5)
    page.keyboard.press("End")
    page.locator(GRID_SELECTOR).focus()
    page.evaluate("document.documentElement.dataset.shortcuts = 'off'")
    for key in ("ArrowRight", "ArrowLeft", "Home", "End"):
        page.keyboard.press(key)
    page.wait_for_timeout(300)
    assert_shows_turn(page, 5)
    page.evaluate("document.documentElement.dataset.shortcuts = 'on'")
    page.keyboard.press("Control+ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert_shows_turn(page, 4)


def test_page_lists_the_keys_for_stepping(page: Page) -> None:
    open_page(page, f"{GAME_PATH}open/5/")
    page.locator(GRID_SELECTOR).focus()
    page.keyboard.press("?")
    listed = page.get_by_role("dialog")
    for words in ("previous turn", "next turn", "the first turn", "the last turn"):
        expect(listed).to_contain_text(words)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    assert_shows_turn(page, 5)


def test_details_stay_open_or_closed_after_a_step(page: Page) -> None:
    open_page(page, f"{GAME_PATH}open/5/")
    progress = page.locator("details[data-remember]").first
    was_open = progress.get_attribute("open") is not None
    progress.locator("> summary").click()
    page.locator('[data-step="after"]').click()
    assert_shows_turn(page, 6)
    assert (progress.get_attribute("open") is not None) != was_open


def test_step_links_and_slider_work_without_javascript(
    browser: Browser, embedded_site: Site
) -> None:
    window = browser.new_context(base_url=embedded_site.url, java_script_enabled=False)
    page = window.new_page()
    open_page(page, f"{GAME_PATH}white/5/")
    page.locator('[data-step="after"]').click()
    expect(page).to_have_url(re.compile(f"{GAME_PATH}white/6/$"))
    page.locator(SLIDER_SELECTOR).focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Go").click()
    expect(page).to_have_url(re.compile(f"{GAME_PATH}white/9/$"))
    page.get_by_role("link", name="As Black saw it").click()
    expect(page).to_have_url(re.compile(f"{GAME_PATH}black/9/$"))
    close_window(window)


def test_duel_page_can_step_back_to_past_turns(page: Page, finished_duel: str) -> None:
    """After the choice, the history has the focus again, so that the next key works."""
    page.goto(finished_duel)
    page.locator(GRID_SELECTOR).focus()
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(f"{finished_duel}turns/6/$"))
    expect(page.locator(GRID_SELECTOR)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(f"{finished_duel}turns/5/$"))
    expect(page.locator("td.fogged")).to_have_count(0)
    page.get_by_role("link", name="As Bram saw it").click()
    expect(page).to_have_url(re.compile(rf"{finished_duel}turns/5/\?seen=w1$"))
    expect(page.locator("td.fogged")).to_have_count(2)
    expect(page.locator("#step-viewpoints")).to_contain_text("only what was known at the time")
    page.locator(SLIDER_SELECTOR).focus()
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(rf"{finished_duel}turns/4/\?seen=w1$"))
    page.locator('.history th a[href*="turns/2/"]').click()
    expect(page).to_have_url(re.compile(rf"{finished_duel}turns/2/\?seen=w1$"))


def test_copy_button_copies_the_address_of_the_turn(
    browser: Browser, embedded_site: Site, finished_duel: str
) -> None:
    window = browser.new_context(
        base_url=embedded_site.url, permissions=["clipboard-read", "clipboard-write"]
    )
    page = window.new_page()
    page.goto(f"{finished_duel}turns/3/")
    page.locator('[data-step="before"]').click()
    expect(page.locator("h1")).to_contain_text("Turn 2")
    share = page.locator("[data-share]")
    expect(share.get_by_role("button", name="Copy")).to_be_hidden()
    share.locator("summary").click()
    share.get_by_role("button", name="Copy").click()
    expect(share.get_by_role("status")).to_have_text("Address copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{embedded_site.url}{finished_duel}turns/2/"
    page.keyboard.press("Escape")
    expect(share.get_by_role("button", name="Copy")).to_be_hidden()
    share.locator("summary").click()
    page.locator("h1").click(position={"x": 2, "y": 2})
    expect(share.get_by_role("button", name="Copy")).to_be_hidden()
    close_window(window)


def test_second_of_two_quick_steps_is_shown(page: Page) -> None:
    """The response to the first step arrives late and is ignored."""
    open_page(page, f"{GAME_PATH}open/5/")

    held: list[Route] = []
    page.route(re.compile(f"{GAME_PATH}open/6/$"), lambda route: held.append(route))
    page.locator(GRID_SELECTOR).focus()
    page.keyboard.press("ArrowRight")
    wait_until_held(page, held)
    page.keyboard.press("Home")
    assert_shows_turn(page, 1)
    held[0].continue_()
    page.wait_for_timeout(300)
    assert_shows_turn(page, 1)


def test_step_that_the_site_rejects_opens_the_error_page(page: Page, finished_duel: str) -> None:
    page.goto(f"{finished_duel}turns/2/?seen=w1")
    page.evaluate(
        "document.querySelector('[data-step=after]').href = location.pathname + '?seen=w7'"
    )
    page.locator('[data-step="after"]').click()
    expect(page.locator("[data-stepper]")).to_have_count(0)
    expect(page).to_have_url(re.compile("seen=w7$"))
