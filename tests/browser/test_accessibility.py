"""Accessibility tests of every kind of page, for WCAG 2.2 AA.

axe-core must not find violations in day or night colours, or in wide or narrow windows. No page
may be wider than its window, violate the content security policy or contact another site. Each day,
a different fifth of the pages of each kind is checked, and at least one page.
"""

import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest
from django.urls import URLPattern, URLResolver, get_resolver, resolve
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, expect

from tests import daily
from tests.browser.axe import (
    COLOUR_RULES,
    NARROW,
    VAST,
    WIDE,
    colour_violations,
    preload_axe,
    violations,
    width_violations,
)
from tests.browser.windows import PATIENCE_SECONDS, close_window
from tests.sample_pages.site import ShownPage, ShownSite, shown_site

# The first test waits while the site creates a page of every kind.
pytestmark = pytest.mark.timeout(900)

PAGE_GROUPS = 8  # all pages together take minutes on a busy machine
# Rules about positions and sizes, whose results can depend on the width of the window.
POSITION_RULES = ["target-size", "scrollable-region-focusable"]
# Chromium's console message about a page that shows an error on purpose.
EXPECTED_CONSOLE_MESSAGE = re.compile(r"the server responded with a status of (404|4\d\d)")


@pytest.fixture(scope="module")
def site_with_all_pages() -> Iterator[ShownSite]:
    with shown_site() as site:
        yield site


@dataclass
class PageObserver:
    """The console messages of a page, and the hosts that the page contacts."""

    complaints: list[str] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)

    def observe(self, page: Page) -> None:
        page.on("console", self.record_console_message)
        page.on("pageerror", lambda error: self.complaints.append(f"script: {error}"))
        page.on("request", self.record_request)

    def record_console_message(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not EXPECTED_CONSOLE_MESSAGE.search(
            message.text
        ):
            self.complaints.append(message.text)

    def record_request(self, request: Request) -> None:
        if urlsplit(request.url).scheme in ("http", "https"):
            self.hosts.add(urlsplit(request.url).netloc)

    def take_complaints(self) -> list[str]:
        taken, self.complaints = self.complaints, []
        return taken


def problems_of(page: Page, *, is_first_of_its_kind: bool) -> Iterator[str]:
    """Yield all problems of a page that was opened in a wide window by day.

    All rules are checked in this window. With night colours, only colours are checked again; in a
    narrow window, only positions are. In a very wide window, one page of each kind is checked.
    """
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    yield from (f"wide: {found}" for found in violations(page, without=COLOUR_RULES))
    yield from (f"by day: {found}" for found in colour_violations(page, "light"))
    page.emulate_media(color_scheme="dark")
    yield from (f"by night: {found}" for found in colour_violations(page, "dark"))
    page.set_viewport_size({"width": NARROW, "height": 900})
    yield from (f"narrow: {found}" for found in violations(page, POSITION_RULES))
    page.evaluate("document.documentElement.dataset.size = 'largest'")
    yield from (f"with the largest text: {found}" for found in width_violations(page))
    if is_first_of_its_kind:
        page.evaluate("document.documentElement.dataset.size = 'normal'")
        page.set_viewport_size({"width": VAST, "height": 1300})
        yield from width_violations(page)


def page_kind(shown: ShownPage) -> str:
    """Return the name of the page's URL pattern, or a name for an email or an error page."""
    if shown.html or shown.name.startswith("error"):
        return shown.name.split()[0]
    return str(resolve(urlsplit(shown.path).path).url_name)


def sampled_pages(shown: ShownSite) -> list[ShownPage]:
    """Return a sample of the pages of each kind."""
    kinds: dict[str, list[ShownPage]] = defaultdict(list)
    for page in shown.pages:
        kinds[page_kind(page)].append(page)
    return [page for kind, pages in kinds.items() for page in daily.sample(pages, 5, kind)]


@dataclass
class CheckedWindow:
    """A window in which pages are checked one after another, and the kinds that it has shown."""

    page: Page
    watch: PageObserver
    kinds: set[str] = field(default_factory=set)


@pytest.fixture(scope="module")
def checked_window(browser: Browser) -> Iterator[CheckedWindow]:
    window = browser.new_context(reduced_motion="reduce")
    preload_axe(window)
    found = CheckedWindow(window.new_page(), PageObserver())
    found.watch.observe(found.page)
    yield found
    close_window(window)


@pytest.mark.parametrize(
    "part", range(PAGE_GROUPS), ids=lambda part: f"part {part + 1} of {PAGE_GROUPS}"
)
def test_every_page_is_accessible_without_contacting_other_sites(
    checked_window: CheckedWindow, site_with_all_pages: ShownSite, part: int
) -> None:
    page = checked_window.page
    wrong: dict[str, list[str]] = {}
    for each in sampled_pages(site_with_all_pages)[part::PAGE_GROUPS]:
        page.set_viewport_size({"width": WIDE, "height": 900})
        page.emulate_media(color_scheme="light")
        site_with_all_pages.open(page.context, page, each)
        is_first = page_kind(each) not in checked_window.kinds
        if found := [
            *problems_of(page, is_first_of_its_kind=is_first),
            *checked_window.watch.take_complaints(),
        ]:
            wrong[f"{each.name} {each.path}"] = found
        checked_window.kinds.add(page_kind(each))
    assert not wrong, "\n".join(
        f"{page}: {each}" for page, found in wrong.items() for each in found
    )
    assert checked_window.watch.hosts == {urlsplit(site_with_all_pages.url).netloc}


def test_all_text_uses_the_font_of_the_site(
    browser: Browser, site_with_all_pages: ShownSite
) -> None:
    """Also check bold text, which could use a font face that lacks these letters."""
    window = browser.new_context()
    page = window.new_page()
    site_with_all_pages.open(window, page, page_named(site_with_all_pages, "duel over"))
    wire = window.new_cdp_session(page)
    for command in ("DOM.enable", "CSS.enable"):
        wire.send(command)

    def fonts_of(selector: str) -> set[str]:
        root = wire.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
        node = wire.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
        fonts = wire.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        return {font["familyName"] for font in fonts}

    for selector in (".history td > b", ".history .wizard-name", ".report li", ".site-foot i"):
        give_up = time.monotonic() + PATIENCE_SECONDS
        # With "font-display: optional", a page keeps its fallback font if the site's font comes
        # late. The next page then finds the font in the browser's cache.
        while fonts_of(selector) != {"Alegreya"} and time.monotonic() < give_up:
            page.reload()
        assert fonts_of(selector) == {"Alegreya"}, selector
    close_window(window)


def page_named(shown: ShownSite, name: str) -> ShownPage:
    return next(page for page in shown.pages if page.name == name)


def is_response_to_saving(value: str) -> Callable[[Response], bool]:
    """Return a function that recognises the response to saving this choice.

    Other responses are ignored, because the page may save its time zone at the same time.
    """
    return lambda answer: (
        answer.url.endswith("/reading") and value in (answer.request.post_data or "")
    )


def test_colours_and_text_size_apply_at_once_and_are_stored(
    browser: Browser, site_with_all_pages: ShownSite
) -> None:
    """F91. Another test checks that pages with the largest text fit their windows."""
    window = browser.new_context(color_scheme="light", base_url=site_with_all_pages.url)
    page = window.new_page()
    page.goto("/about/")
    paper = "getComputedStyle(document.body).backgroundColor"
    size = "parseFloat(getComputedStyle(document.documentElement).fontSize)"
    light, normal = page.evaluate(paper), page.evaluate(size)
    page.evaluate("window.sameDocument = true")
    with page.expect_response(is_response_to_saving("dark")):
        page.get_by_role("button", name="candlelight").click()
    with page.expect_response(is_response_to_saving("largest")):
        page.get_by_role("button", name="largest").click()
    assert page.evaluate(paper) != light
    assert page.evaluate(size) > normal * 1.4
    assert page.evaluate("window.sameDocument")
    expect(page.get_by_role("button", name="candlelight")).to_have_attribute("aria-pressed", "true")
    page.goto("/terms/")
    assert page.evaluate(paper) != light
    assert page.evaluate(size) > normal * 1.4
    close_window(window)


def test_colour_switch_reloads_the_page_without_javascript(
    browser: Browser, site_with_all_pages: ShownSite
) -> None:
    window = browser.new_context(java_script_enabled=False, base_url=site_with_all_pages.url)
    page = window.new_page()
    page.goto("/spellbook/?order=last")
    page.get_by_role("button", name="candlelight").click()
    expect(page.locator("html")).to_have_attribute("data-scheme", "dark")
    assert page.url.endswith("/spellbook/?order=last")
    close_window(window)


def test_spellbook_search_updates_while_typing(
    browser: Browser, site_with_all_pages: ShownSite
) -> None:
    window = browser.new_context(base_url=site_with_all_pages.url)
    page = window.new_page()
    page.goto("/spellbook/")
    page.get_by_label("Find a spell").press_sequentially("sww")
    expect(page.locator("tr[data-spell]")).to_have_count(2)
    expect(page.locator("[data-book-said]")).to_contain_text("2 spells match")
    expect(page).to_have_url(re.compile("q=sww"))
    page.get_by_label("Find a spell").fill("")
    expect(page.locator("tr[data-spell]")).to_have_count(41)
    close_window(window)


def test_qr_code_has_a_white_background_in_the_dark_theme(
    browser: Browser, site_with_all_pages: ShownSite
) -> None:
    """Phones cannot read a QR code on a dark background or without a margin."""
    window = browser.new_context(color_scheme="dark")
    page = window.new_page()
    site_with_all_pages.open(window, page, page_named(site_with_all_pages, "authenticator app"))
    square = page.locator("img.qr")
    expect(square).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(square).to_have_css("padding-left", "12px")
    close_window(window)


# Addresses without a page of their own: redirects after a POST, files, and parts of pages.
URL_NAMES_OF_CHANGES = {
    "challenge_accept",
    "challenge_decline",
    "challenge_leave",
    "challenge_withdraw",
    "draft",
    "orders",
    "answers",
    "sheet",
    "draw",
    "claim",
    "pause",
    "time",
    "rematch",
    "play_on",
    "back_to_lesson",
    "play",
    "play_somebody",
    "stop_being_open",
    "invitation_accept",
    "say",
    "read",
    "mute",
    "unmute",
    "wizard_block",
    "wizard_unblock",
    "wizard_follow",
    "wizard_unfollow",
    "wizard_note",
    "duel_follow",
    "duel_unfollow",
    "reading",
    "vacation",
    "mail_again",
    "mail_on",
    "session_end",
    "push_on",
    "push_off",
    "push_choice",
    "push_test",
    "webhook",
    "case_say",
    "case_appeal",
    "case_object",
    "case_withdraw",
    "desk_claim",
    "desk_give_back",
    "desk_hand_over",
    "desk_note",
    "desk_close",
    "desk_open",
    "messages_accept",
    "messages_decline",
    "messages_mute",
    "messages_unmute",
    "news_read",
}
URL_NAMES_OF_FILES = {
    "record",
    "transcript",
    "picture",
    "turn_picture",
    "poll",
    "waiting",
    "turns",
    "turn_proof",
    "game_turns",
    "favicon",
    "manifest",
    "robots",
    "service_worker",
    "push_key",
    "doctor_probe",
    "archive_records",
    "calendar",
    "challenge_feed",
    "ladder_feed",
    "ruling_feed",
    "wizard_feed",
    "rule_note",  # a part of a page that is shown next to a cited rule
    "mfa_download_recovery_codes",
    "mfa_login_webauthn",
}
# Pages that look like other pages, and the mailbox page, which does not exist here.
URL_NAMES_OF_SIMILAR_PAGES = {
    "account_set_password",
    "mfa_reauthenticate_webauthn",
    "mailbox",
    "mailbox_html",
    "ladders",  # redirects to the first ruleset’s ladder
    "turn_words_report",  # like the page to report a message between turns
    "duel_name_report",  # like the page to report a wizard's name
}


def url_names(patterns: Iterable[URLPattern | URLResolver]) -> Iterator[str]:
    """Yield the names of all addresses of the site except the admin's."""
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            yield str(pattern.name)
        elif not str(pattern.pattern).startswith("admin"):
            yield from url_names(pattern.url_patterns)


def test_every_kind_of_page_is_checked_for_accessibility(site_with_all_pages: ShownSite) -> None:
    looked_at = {
        resolve(urlsplit(page.path).path).url_name
        for page in site_with_all_pages.pages
        if not page.html and not page.name.startswith("error")
    }
    every = set(url_names(get_resolver().url_patterns))
    left_out = (
        every - looked_at - URL_NAMES_OF_CHANGES - URL_NAMES_OF_FILES - URL_NAMES_OF_SIMILAR_PAGES
    )
    assert left_out == set()
