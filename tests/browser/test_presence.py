"""Tests of two browser windows that show the same duel.

Events in one window are shown in the other, without a reload and without loss of typed text.
"""

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.person import Person
from tests.browser.scenes import Desks, Scene, choose_both, poll, scenes
from tests.browser.where import ON_BOTH
from tests.sites import Site

POLL_TIMEOUT = 30_000  # milliseconds; pages poll every three seconds, but the machine may be busy

# Counts the sounds that a page plays, because a test cannot hear them.
COUNT_CHIMES = """
window.chimes = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) {
  window.chimes += 1;
  start.apply(this, when);
};
"""


Pair = tuple[Person, Person]


@pytest.fixture(scope="module")
def prepared_scenes(embedded_site: Site) -> list[Scene]:
    """Return duels, one for each test."""
    return scenes(embedded_site, [{}] * 9)


@pytest.fixture
def pair(browser: Browser, embedded_site: Site, prepared_scenes: list[Scene]) -> Iterator[Pair]:
    with two_open_windows(browser, embedded_site, prepared_scenes.pop()) as both:
        yield both


@contextmanager
def two_open_windows(browser: Browser, site: Site, scene: Scene) -> Iterator[Pair]:
    """Open the page of a duel in a window for Ada and another for Bram."""
    desks = Desks(browser, site)
    pages = [desks.ada(scene), desks.bram(scene)]
    names = [page.locator(".own-name").inner_text() for page in pages]
    for page in pages:
        page.evaluate("window.isSame = true")
    ada, bram = (Person(page, site, name, "") for page, name in zip(pages, names, strict=True))
    yield ada, bram
    desks.close()


def choose_gestures(person: Person, left: str = "P", right: str = "D") -> None:
    person.choose_gesture("left", left)
    person.choose_gesture("right", right)


def write_and_seal(person: Person) -> None:
    choose_gestures(person)
    person.wait_for_spells("PD")
    with person.page.expect_navigation():
        person.seal()


def is_same_page(page: Page) -> bool:
    """Return whether the page has not been reloaded since it was opened."""
    return page.evaluate("window.isSame === true") is True


def wait_until(page: Page, condition: str) -> None:
    """Wait until this script returns true.

    The site's content security policy blocks Playwright's own method.
    """
    give_up = time.monotonic() + POLL_TIMEOUT / 1_000
    while not page.evaluate(condition):
        assert time.monotonic() < give_up, condition
        page.wait_for_timeout(100)


def wait_until_announced(page: Page, words: str) -> None:
    """Wait until this text has been announced to screen readers."""
    wait_until(page, f"window.heard.some((words) => words.includes({json.dumps(words)}))")


def record_announcements(page: Page) -> None:
    """Collect all announcements from now on in `window.heard`."""
    page.evaluate(
        "window.heard = []; const line = document.querySelector('[data-announce]');"
        "const listener = new MutationObserver(() => window.heard.push(line.textContent));"
        "listener.observe(line, {childList: true, characterData: true, subtree: true})"
    )


@ON_BOTH
def test_two_open_pages_show_the_opponents_seal_and_the_next_turn(
    browser: Browser, site: Site
) -> None:
    """The test also runs on a site where a worker resolves turns."""
    with two_open_windows(browser, site, *scenes(site)) as pair:
        seal_and_see(*pair)


def seal_and_see(ada: Person, bram: Person) -> None:
    record_announcements(bram.page)
    write_and_seal(ada)
    seal = bram.page.locator(f'[data-seal-of="{ada.name}"]')
    expect(seal).to_have_attribute("data-sealed", "yes", timeout=POLL_TIMEOUT)
    expect(seal).to_contain_text("has sealed")
    assert is_same_page(bram.page)
    wait_until_announced(bram.page, f"{ada.name} has sealed.")
    write_and_seal(bram)
    # Ada has not used the page since she sealed, so the page reloads for the next turn.
    expect(ada.page.locator("#orders-title")).to_contain_text("turn 2", timeout=POLL_TIMEOUT)
    assert ada.is_awaited()
    expect(ada.page.locator("[data-announce]")).to_have_text("The turn has been played.")
    expect(ada.page).to_have_title(re.compile(r"^\(\d+\) "), timeout=POLL_TIMEOUT)


def test_message_is_shown_to_the_opponent_without_a_reload(pair: Pair) -> None:
    ada, bram = pair
    record_announcements(bram.page)
    ada.page.get_by_label("Message (others see it right away)").fill("Shall we <b>begin</b>?")
    ada.page.get_by_label("Message (others see it right away)").press("Control+Enter")
    line = bram.page.locator("[data-speech] p")
    expect(ada.page.locator("[data-speech] p")).to_have_text("Shall we <b>begin</b>?")
    poll(bram.page)
    expect(line).to_have_text("Shall we <b>begin</b>?", timeout=POLL_TIMEOUT)
    expect(ada.page.get_by_label("Message (others see it right away)")).to_have_value("")
    assert is_same_page(ada.page)
    assert is_same_page(bram.page)
    wait_until_announced(bram.page, f"{ada.name} says: Shall we <b>begin</b>?")
    mark = bram.page.locator("#talk").get_by_role("link", name="Chat (1 new)")
    mark.click()
    expect(mark).to_have_count(0, timeout=POLL_TIMEOUT)
    # When Bram mutes Ada, her messages disappear.
    bram.page.get_by_role("button", name=f"Mute {ada.name}").click()
    expect(bram.page.locator("#talk")).to_contain_text("Muted: not shown to you.")
    expect(bram.page.locator("#talk")).not_to_contain_text("Shall we")
    # Bram unmutes Ada, because other tests use the same wizards.
    bram.page.get_by_role("button", name=f"Unmute {ada.name}").click()
    expect(bram.page.locator("#talk")).to_contain_text("Shall we")


def test_chosen_gestures_and_typed_text_are_kept_when_the_next_turn_begins(
    pair: Pair,
) -> None:
    ada, bram = pair
    write_and_seal(ada)
    ada.page.evaluate("window.isSame = true")
    ada.page.get_by_text("Change your orders", exact=True).click()
    choose_gestures(ada, "S", "W")  # she chooses other gestures without sealing them
    ada.page.get_by_label("Message (others see it right away)").fill("Wait for me")
    write_and_seal(bram)
    notice = ada.page.locator("[data-notice]")
    expect(notice).to_be_visible(timeout=POLL_TIMEOUT)
    expect(notice).to_contain_text("The turn has been played.")
    expect(notice).to_be_in_viewport()  # although the page has scrolled to her message
    assert is_same_page(ada.page)
    expect(ada.page.locator('input[name="left"][value="S"]')).to_be_checked()
    expect(ada.page.locator('input[name="right"][value="W"]')).to_be_checked()
    notice.get_by_role("link", name="Update the page").click()
    expect(ada.page.locator("#orders-title")).to_contain_text("turn 2")
    expect(ada.page.get_by_label("Message (others see it right away)")).to_have_value("Wait for me")
    assert not is_same_page(ada.page)


def test_page_reloads_without_the_sealed_message_when_a_dialog_closes(pair: Pair) -> None:
    """Until then, the page does not claim that the opponent has not sealed yet."""
    ada, bram = pair
    ada.page.get_by_label("Say it with this turn").fill("Feeling dizzy?")
    write_and_seal(ada)
    ada.page.get_by_role("link", name="Find a spell").click()
    write_and_seal(bram)
    notice = ada.page.locator("[data-notice]")
    expect(notice).to_be_visible(timeout=POLL_TIMEOUT)
    expect(notice.get_by_text("What you entered is still here.")).to_be_hidden()
    expect(ada.page.locator("#live-seals, #live-receipt")).to_have_count(0)
    ada.page.keyboard.press("Escape")
    expect(ada.page.locator("#orders-title")).to_contain_text("turn 2")
    expect(ada.page.get_by_label("Say it with this turn")).to_have_value("")


def test_declined_draw_is_shown_in_place_of_the_offer(pair: Pair) -> None:
    ada, bram = pair
    ada.page.get_by_role("button", name="Offer a draw").click()
    offered = ada.page.get_by_text("You have offered a draw.")
    expect(offered).to_be_in_viewport()
    bram.page.get_by_role("button", name="Decline").click(timeout=POLL_TIMEOUT)
    expect(ada.page.locator("#live-draw")).to_have_text(
        "Your draw offer was declined.", timeout=POLL_TIMEOUT
    )
    expect(offered).to_have_count(0)


def test_number_of_waiting_duels_is_updated_in_the_title_and_on_the_home_page(pair: Pair) -> None:
    ada, bram = pair
    expect(ada.page).to_have_title(re.compile(r"^\(\d+\) "), timeout=POLL_TIMEOUT)
    waiting = count_in_title(ada.page)
    write_and_seal(ada)
    expect(ada.page).to_have_title(re.compile(rf"^\({waiting - 1}\) "), timeout=POLL_TIMEOUT)
    ada.open("/")
    shown = ada.page.locator("#awaiting .duel-list > li")
    expect(shown).to_have_count(waiting - 1)
    expect(ada.page).to_have_title(re.compile(rf"^\({waiting - 1}\) "), timeout=POLL_TIMEOUT)
    ada.page.evaluate("window.isSame = true")
    write_and_seal(bram)
    # Other pages poll less often than a duel's page, but poll at once when the browser goes online.
    poll(ada.page)
    expect(shown).to_have_count(waiting, timeout=POLL_TIMEOUT)
    assert count_in_title(ada.page) == waiting
    assert is_same_page(ada.page)


def count_in_title(page: Page) -> int:
    """Return the number at the beginning of the page's title, or 0."""
    found = re.match(r"\((\d+)\) ", page.title())
    return int(found[1]) if found else 0


def test_sound_plays_only_for_players_who_turned_it_on(pair: Pair) -> None:
    ada, bram = pair
    duel = ada.page.url
    for person, wants in ((ada, "on"), (bram, "off")):
        person.page.add_init_script(COUNT_CHIMES)
        person.open("/settings/")
        person.page.locator('select[name="sound"]').select_option(wants)
        person.page.locator("#reading").get_by_role("button", name="Save").click()
        expect(person.page.locator("[data-reading-said]")).not_to_be_empty()
        person.open(duel)
        expect(person.page.locator("html")).to_have_attribute("data-sound", wants)
        person.page.locator("#talk-title").click()  # browsers block sound before the first click
    for speaker, listener in ((bram, ada), (ada, bram)):
        words = f"To {listener.name}."
        speaker.page.get_by_label("Message (others see it right away)").fill(words)
        speaker.page.get_by_role("button", name="Send message").click()
        line = listener.page.locator("[data-speech]").filter(has_text=words)
        expect(line).to_be_visible(timeout=POLL_TIMEOUT)
    wait_until(ada.page, "window.chimes > 0")
    assert bram.page.evaluate("window.chimes") == 0


def test_page_shows_whether_the_opponent_is_online_and_polls_fail(pair: Pair) -> None:
    ada, bram = pair
    here = ada.page.get_by_text(f"{bram.name} is here")
    expect(here).to_be_visible(timeout=POLL_TIMEOUT)
    ada.page.route("**/poll*", lambda route: route.abort())
    for _ in range(2):  # the notice appears after the second failure
        with ada.page.expect_event("requestfailed"):
            poll(ada.page)
    failing = ada.page.locator("[data-failing]")
    expect(failing).to_be_visible(timeout=POLL_TIMEOUT)
    ada.page.unroute("**/poll*")
    poll(ada.page)
    expect(failing).to_be_hidden(timeout=POLL_TIMEOUT)


# The frequency of a page's polls. The tests control the page's clock.


# Counts polls. A poll has ended when the page has shown the response and scheduled the next poll.
COUNT_POLLS = """
(() => {
  window.polls = { begun: 0, ended: 0 };
  const { fetch, setTimeout } = window;
  window.fetch = (address, ...options) => {
    if (address.includes("/poll")) window.polls.begun += 1;
    return fetch(address, ...options);
  };
  window.setTimeout = (call, ...options) => {
    if (call.name === "poll") window.polls.ended += 1;
    return setTimeout(call, ...options);
  };
})();
"""


def control_clock(page: Page) -> None:
    """Stop the page's clock, so that only `advance_clock` advances it."""
    page.clock.install()
    page.add_init_script(COUNT_POLLS)
    page.reload()
    wait_until(page, "window.polls.ended > 0")


def advance_clock(page: Page, seconds: int, step: int) -> int:
    """Advance the page's clock by this many seconds, in steps, and return the number of polls.

    The clock does not run while a poll waits for its response.
    """
    before: int = page.evaluate("window.polls.begun")
    for _ in range(0, seconds, step):
        page.clock.run_for(step * 1_000)
        wait_until(page, "window.polls.ended === window.polls.begun")
    after: int = page.evaluate("window.polls.begun")
    return after - before


def test_page_polls_less_often_while_idle_and_more_often_after_a_seal(
    browser: Browser, embedded_site: Site, prepared_scenes: list[Scene]
) -> None:
    desks, scene = Desks(browser, embedded_site), prepared_scenes.pop()
    ada = desks.ada(scene)
    control_clock(ada)
    assert 14 <= advance_clock(ada, 60, 1) <= 25
    ada.clock.fast_forward(270_000)
    assert 2 <= advance_clock(ada, 60, 3) <= 6
    ada.clock.fast_forward(700_000)
    assert 1 <= advance_clock(ada, 120, 10) <= 4
    bram = desks.bram(scene)
    choose_both(bram, "W-")
    bram.get_by_role("button", name="Seal these orders").click()
    bram.wait_for_url("**/#*")
    seal = ada.locator('[data-seal-of][data-sealed="yes"]')
    for _ in range(80):
        if seal.count():
            break
        advance_clock(ada, 1, 1)
    expect(seal).to_have_count(1)
    assert advance_clock(ada, 30, 1) >= 6
    desks.close()


def test_seal_is_shown_within_five_seconds_if_both_pages_are_open(
    browser: Browser, embedded_site: Site, prepared_scenes: list[Scene]
) -> None:
    """The seal is shown this quickly even if neither player has done anything for ten minutes."""
    desks, scene = Desks(browser, embedded_site), prepared_scenes.pop()
    ada, bram = desks.ada(scene), desks.bram(scene)
    control_clock(ada)
    advance_clock(ada, 5, 1)
    expect(ada.locator("[data-here]:not([hidden])")).to_have_count(1)
    ada.clock.fast_forward(600_000)
    advance_clock(ada, 5, 1)
    choose_both(bram, "W-")
    bram.get_by_role("button", name="Seal these orders").click()
    bram.wait_for_url("**/#*")
    advance_clock(ada, 5, 1)
    expect(ada.locator('[data-seal-of][data-sealed="yes"]')).to_have_count(1)
    desks.close()
