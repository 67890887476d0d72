"""Tests of a first visit: the guided duel, from a click on the front page to signing up."""

import re
from collections.abc import Callable, Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, Request, ViewportSize, expect

from duels.lessons.first import FIRST_LESSON
from tests import sites
from tests.browser.axe import WINDOWS, preload_axe, violations
from tests.browser.person import Person, confirmation_link, load, sign_up
from tests.browser.scenes import press, seal
from tests.browser.where import ON_BOTH
from tests.browser.windows import close_window
from tests.sites import Site

MS_PER_SECOND = 1000
PHONE: Final[ViewportSize] = {"width": 360, "height": 740}
LAPTOP: Final[ViewportSize] = {"width": 1366, "height": 768}
LAST_TURN = len(FIRST_LESSON.steps)


@pytest.fixture
def page(browser: Browser, site: Site) -> Iterator[Page]:
    """Yield a page in a browser that has never visited the site."""
    window = browser.new_context(base_url=site.url)
    yield window.new_page()
    close_window(window)


def begin_guided_duel(page: Page) -> str:
    """Begin the guided duel with one click, and return its address."""
    page.goto("/")
    page.get_by_role("button", name="Play your first duel").click()
    page.wait_for_url("**/duels/*/")
    return page.url


def await_guide(page: Page, turn: int) -> None:
    """Wait until the guide describes this turn, reloading if a worker is slow."""
    guide = page.locator(f'[data-guide="{turn}"]')
    for _ in range(10):
        try:
            expect(guide).to_be_visible(timeout=3 * MS_PER_SECOND)
        except AssertionError:
            load(page, page.url)
        else:
            return
    expect(guide).to_be_visible()


def follow_guide(page: Page) -> None:
    """Choose the two suggested gestures, and seal."""
    marked = page.locator("[data-suggested] input")
    expect(marked).to_have_count(2)
    for choice in marked.all():
        if not choice.is_checked():
            press(choice)
            expect(choice).to_be_checked()
    pair = "".join(choice.get_attribute("value") or "" for choice in marked.all())
    expect(page.locator(f'#sheet-rest[data-pair="{pair}"]')).to_be_attached()
    seal(page)


def test_visitor_is_guided_to_a_win_and_keeps_the_duel_after_signing_up(
    page: Page, site: Site
) -> None:
    address = begin_guided_duel(page)
    for turn in range(1, LAST_TURN + 1):
        await_guide(page, turn)
        assert page.locator("[data-guide]").inner_text().count("try") >= 1
        follow_guide(page)
    farewell = page.locator(".guide")
    for _ in range(60):
        if farewell.get_by_text("Well duelled").count():
            break
        page.wait_for_timeout(MS_PER_SECOND / 2)
        load(page, page.url)
    expect(farewell).to_contain_text("Well duelled")
    expect(farewell.get_by_role("link", name="Read the rules")).to_be_visible()
    expect(farewell.get_by_role("button", name="Practise again")).to_be_visible()
    expect(farewell.get_by_role("link", name="Keep it: sign up")).to_be_visible()
    expect(page.locator("h1")).to_contain_text("You against Old Quill")
    expect(page.locator("[data-outcome]")).to_contain_text("You win")
    guest = page.locator(".history .wizard-name").first.inner_text()
    assert guest.startswith("Guest ")

    person = sign_up(page, site, "Morgana")
    person.open("/")
    page.locator("#finished").get_by_role("link", name="Against Old Quill").click()
    expect(page).to_have_url(address)
    expect(page.locator("body")).not_to_contain_text(guest)
    assert confirmation_link(person)  # the only email, because practice duels do not send any


def failed_request(request: Request) -> list[str]:
    """Return the address of a failed request, unless it was only interrupted by the next page."""
    return [] if request.failure == "net::ERR_ABORTED" else [request.url]


def test_turn_can_be_played_in_a_checkout_without_collected_files(browser: Browser) -> None:
    """This test uses the separate files that developers edit; other tests use collected files."""
    with sites.embedded_site(is_collected=False) as checkout:
        window = browser.new_context(base_url=checkout.url)
        page = window.new_page()
        failed: list[str] = []
        page.on("pageerror", lambda error: failed.append(str(error)))
        page.on("requestfailed", lambda request: failed.extend(failed_request(request)))
        page.on("response", lambda answer: failed.extend([answer.url] * (answer.status >= 400)))
        loaded: list[str] = []
        page.on("request", lambda request: loaded.append(request.url.partition("/static/")[2]))
        begin_guided_duel(page)
        follow_guide(page)
        await_guide(page, 2)
        assert {"js/order_sheet/sealing.js", "css/order_sheet/sheet.css"} <= {*loaded}
        assert failed == []
        close_window(window)


@ON_BOTH
def test_visitor_who_ignores_the_suggested_gestures_is_still_guided(page: Page) -> None:
    begin_guided_duel(page)
    await_guide(page, 1)
    for side, letter in (("left", "W"), ("right", "P")):
        choice = page.locator(f'input[name="{side}"][value="{letter}"]')
        press(choice)
        expect(choice).to_be_checked()
    expect(page.locator('#sheet-rest[data-pair="WP"]')).to_be_attached()
    expect(page.locator("[data-suggested]")).to_have_count(2)
    seal(page)
    await_guide(page, 2)
    expect(page.locator(".guide")).to_contain_text("Back to the lesson")
    follow_guide(page)
    await_guide(page, 3)


def test_guides_buttons_choose_gestures_on_the_first_screen_of_a_phone(
    browser: Browser, embedded_site: Site
) -> None:
    window = browser.new_context(base_url=embedded_site.url, viewport=PHONE)
    page = window.new_page()
    begin_guided_duel(page)
    idle, snap = page.locator("[data-choose]").all()
    expect(idle).to_have_attribute("aria-pressed", "true")
    expect(idle).to_contain_text("nothing")
    box = snap.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= PHONE["height"]
    guide = page.locator("#guide").bounding_box()
    assert guide is not None
    assert guide["height"] < 200
    snap.click()
    expect(snap).to_have_attribute("aria-pressed", "true")
    expect(page.locator('input[name="right"][value="S"]')).to_be_checked()
    expect(page.locator(".try-this")).to_have_count(2)
    expect(page.locator(".try-this:visible")).to_have_count(0)
    close_window(window)


def test_phone_shows_report_guide_and_seal_button_and_finally_the_outcome(
    browser: Browser, embedded_site: Site
) -> None:
    """This applies right after each seal, without scrolling."""
    window = browser.new_context(base_url=embedded_site.url, viewport=PHONE)
    page = window.new_page()
    begin_guided_duel(page)
    for turn in range(1, LAST_TURN + 1):
        await_guide(page, turn)
        if turn > 1:
            expect(page.locator("#news")).to_be_in_viewport(ratio=1)
        expect(page.locator(".guide-signs")).to_be_in_viewport(ratio=1)
        expect(page.locator(".seal-bar button.seal")).to_be_in_viewport(ratio=1)
        follow_guide(page)
    page.wait_for_url("**/#outcome")
    expect(page.locator("#outcome")).to_be_focused()
    expect(page.locator("h1")).to_be_in_viewport()
    expect(page.get_by_text("Well duelled")).to_be_in_viewport()
    expect(page.locator("[data-announce]")).to_contain_text("You win the duel.")
    close_window(window)


def test_laptop_shows_guide_and_report_after_a_seal(browser: Browser, embedded_site: Site) -> None:
    window = browser.new_context(base_url=embedded_site.url, viewport=LAPTOP)
    page = window.new_page()
    begin_guided_duel(page)
    follow_guide(page)
    page.wait_for_url("**/#turn-1")
    await_guide(page, 2)
    for part in ("#guide", "#news"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    close_window(window)


def test_guest_can_practise_at_once_and_delete_their_data(page: Page) -> None:
    address = begin_guided_duel(page)
    page.goto("/practice/")
    page.get_by_role("button", name="Practise", exact=True).click()
    page.wait_for_url("**/duels/*/")
    assert page.url != address
    expect(page.locator('[data-seal-of="Old Quill"]')).to_contain_text("has sealed")
    page.goto("/")
    expect(page.locator("#guests-duels li")).to_have_count(2)
    page.get_by_role("link", name="delete your data now").click()
    page.get_by_role("link", name="Keep my data").click()
    expect(page.locator("#guests-duels li")).to_have_count(2)
    page.get_by_role("link", name="delete your data now").click()
    page.get_by_role("button", name="Delete my data now").click()
    expect(page.locator(".notes")).to_contain_text("deleted")
    assert page.goto(address).status == 404  # type: ignore[union-attr]  # a response is never None here


@pytest.mark.parametrize("script", [True, False])
def test_guided_duel_takes_one_click_and_practice_two(
    browser: Browser, embedded_site: Site, script: bool
) -> None:
    window = browser.new_context(base_url=embedded_site.url, java_script_enabled=script)
    page = window.new_page()
    page.goto("/")
    page.get_by_role("button", name="Play your first duel").click()
    expect(page).to_have_url(re.compile(r"/duels/\d+/$"))
    expect(page.locator(".guide")).to_be_visible()
    others = () if script else ("Spellcast", "Wizards", "Archmage")  # one more click
    for rules in ("Bartle", *others):
        window.clear_cookies()
        page.goto("/")
        page.get_by_role("link", name="Practise").first.click()
        if rules in others:
            page.get_by_text("Other rules").click()
        page.get_by_role("radio", name=f"{rules}.").check()
        page.get_by_role("button", name="Practise", exact=True).click()
        expect(page).to_have_url(re.compile(r"/duels/\d+/$"))
        expect(page.locator("#orders")).to_be_visible()
        expect(page.locator(".duel-head")).to_contain_text(rules)
    close_window(window)


def test_home_page_of_a_player_links_to_practice(people: Callable[..., Person]) -> None:
    player = people("Nimue")
    player.open("/")
    player.page.get_by_role("link", name="Practise").first.click()
    player.page.get_by_role("button", name="Practise", exact=True).click()
    player.page.wait_for_url("**/duels/*/")
    expect(player.page.locator(".sheet")).to_be_visible()


def test_all_pages_of_a_guest_are_accessible(browser: Browser, embedded_site: Site) -> None:
    """Each turn of the guided duel is checked in a different window size and colour scheme."""
    window = browser.new_context(base_url=embedded_site.url, bypass_csp=True)
    preload_axe(window)
    page = window.new_page()
    address = begin_guided_duel(page)
    wrong: dict[str, list[str]] = {}
    for path in ("/", "/practice/", "/accounts/signup/"):
        page.goto(path)
        wrong[path] = violations(page)
    for turn, (width, scheme) in enumerate(WINDOWS, start=1):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        load(page, address)
        await_guide(page, turn)
        wrong[f"{address} {width} {scheme}"] = violations(page)
        follow_guide(page)
        await_guide(page, turn + 1)
    load(page, f"{address}resign")
    page.get_by_role("button", name="Resign").click()
    expect(page.locator(".guide")).to_contain_text("That was your first duel")
    wrong["the farewell"] = violations(page)
    assert {name: found for name, found in wrong.items() if found} == {}
    close_window(window)
