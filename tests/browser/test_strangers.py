"""Tests of guests who play each other: with a link, or because both want to play now."""

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.scenes import choose_both, poll, seal
from tests.browser.windows import close_window
from tests.sites import Site

PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1440, "height": 900}
SECONDS_TO_PAIR = 30


@pytest.fixture
def visitor(browser: Browser, site: Site) -> Iterator[Callable[..., Page]]:
    """Yield a function that opens a page in a browser that has never visited the site."""
    windows = []

    def open_page(**options: Any) -> Page:
        window = browser.new_context(base_url=site.url, **options)
        windows.append(window)
        return window.new_page()

    yield open_page
    for window in windows:
        close_window(window)


def close_open_challenges() -> None:
    """Close the challenges that earlier tests left open, so that only new ones are found."""
    from duels.models import Duel

    Duel.objects.filter(open=True, status="gathering").update(open=False)


def play_turn(pages: tuple[Page, Page], turn: int) -> None:
    """Let both seal without gestures, and wait until both pages show the next turn."""
    for page in pages:
        expect(page.locator("#orders-title")).to_contain_text(f"turn {turn}")
        choose_both(page, "--")
        seal(page)
    for page in pages:
        poll(page)
        expect(page.locator("#orders-title")).to_contain_text(f"turn {turn + 1}")


def send_message(page: Page, words: str) -> None:
    page.get_by_label("Message (others see it right away)").fill(words)
    page.get_by_role("button", name="Send message").click()
    expect(page.locator("#live-talk")).to_contain_text(words)


def test_two_guests_play_four_turns_and_chat(
    visitor: Callable[..., Page],
) -> None:
    """One guest plays on a phone, where the form to accept is on the first screen."""
    host, friend = visitor(viewport=DESKTOP), visitor(viewport=PHONE)
    host.goto("/invite")
    host.get_by_label("Your name").fill("Idony")
    host.get_by_role("button", name="Make link").click()
    host.get_by_text("Show a QR code to scan").click()
    expect(host.get_by_role("img", name="QR code of the link")).to_be_visible()
    friend.goto(host.get_by_label("Send this link to your friend").input_value())
    expect(friend.get_by_role("button", name="Accept as a guest")).to_be_in_viewport()
    friend.get_by_label("Your name").fill("Tamsin")
    friend.get_by_role("button", name="Accept as a guest").click()

    pages = (host, friend)
    for turn in range(1, 5):
        play_turn(pages, turn)
        send_message(pages[turn % 2], f"That was turn {turn}.")
        poll(pages[1 - turn % 2])
        expect(pages[1 - turn % 2].locator("#live-talk")).to_contain_text(f"That was turn {turn}.")
    for page in pages:
        expect(page.locator(".talk-line")).to_have_count(4)
        expect(page.get_by_role("link", name=re.compile("^Report this message"))).to_have_count(2)
    note = friend.locator(".guests-note").bounding_box()
    assert note is not None
    assert note["height"] < 32, "the note is one line"


@pytest.mark.parametrize("script", [True, False])
def test_two_strangers_who_want_to_play_now_are_paired(
    visitor: Callable[..., Page], site: Site, script: bool
) -> None:
    site.call(close_open_challenges)
    began = time.monotonic()
    first = visitor(viewport=DESKTOP, java_script_enabled=script)
    second = visitor(viewport=PHONE, java_script_enabled=script)
    for page in (first, second):
        page.goto("/")
        page.get_by_role("button", name="Play somebody now").click()
    expect(second.locator("#orders")).to_be_visible()
    if not script:
        first.reload()
    expect(first.locator("#orders")).to_be_visible()
    assert first.url == second.url
    assert time.monotonic() - began < SECONDS_TO_PAIR


def test_number_of_people_includes_a_waiting_guest(
    visitor: Callable[..., Page], site: Site
) -> None:
    site.call(close_open_challenges)
    waiting, other = visitor(), visitor()
    waiting.goto("/")
    with waiting.expect_response("**/poll*"):
        waiting.get_by_role("button", name="Play somebody now").click()
    other.goto("/")
    expect(other.locator(".somebody")).not_to_contain_text("Nobody else")
    waiting.get_by_role("button", name="Withdraw challenge").click()


def test_share_sheet_names_the_challenger(visitor: Callable[..., Page]) -> None:
    host = visitor()
    host.add_init_script(
        "navigator.share = async (data) => { document.body.dataset.shared = JSON.stringify(data); }"
    )
    host.goto("/invite")
    host.get_by_label("Your name").fill("Sidony")
    host.get_by_role("button", name="Make link").click()
    host.get_by_role("button", name="Send …").click()
    link = host.get_by_label("Send this link to your friend").input_value()
    shared = host.locator("body[data-shared]").get_attribute("data-shared") or ""
    assert link in shared
    assert "Guest Sidony challenges you to a wizards’ duel" in shared
