"""Tests that pages show the news after a seal, and that nothing on them jumps."""

import re
from collections.abc import Callable
from itertools import cycle, product
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect

from tests import daily
from tests.browser.one_screen import (
    LOW_WINDOW,
    PHONE,
    POLL_TIMEOUT,
    STATES_WITH_MANY_WIZARDS,
    WIDE,
    use_session,
    window,
)
from tests.browser.scenes import Desks, choose_both, scenes
from tests.sites import Site

pytestmark = pytest.mark.timeout(600)

# Returns layout shifts without user input: their amounts and, for each part that moved, its parent
# element and its x, y, width and height before and after.
LAYOUT_SHIFTS = """() => new Promise(resolve => {
  const jumps = [];
  const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
  const part = ({ node, previousRect, currentRect }) =>
    [node?.parentElement?.outerHTML.slice(0, 60), place(previousRect), place(currentRect)];
  new PerformanceObserver(list => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (!hadRecentInput) jumps.push([value, ...sources.map(part)]);
    }
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(jumps), 300);
})"""
MAX_INVISIBLE_SHIFT = 0.002  # smaller shifts are invisible: some words move by a pixel or two


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_page_shows_the_result_after_a_seal(
    desks: Desks, embedded_site: Site, size: ViewportSize
) -> None:
    """The page shows the sealed orders or, after the last seal, the report with the focus."""
    (scene,) = scenes(embedded_site)
    ada, bram = desks.ada(scene, viewport=size), desks.bram(scene, viewport=size)
    for page in (ada, bram):
        page.route("**/poll*", lambda route: route.abort())  # polls do not update this page
        choose_both(page, "W-")
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.get_by_role("button", name="Seal these orders").click()
        page.wait_for_url("**/#*")
    assert ada.url.endswith("#orders")
    expect(ada.locator("[data-receipt]")).to_be_in_viewport()
    expect(ada.get_by_role("status").filter(has_text="are sealed")).to_have_count(1)
    assert bram.url.endswith("#turn-1")
    news = bram.locator("#turn-1")
    expect(news).to_be_in_viewport()
    expect(news).to_be_focused()
    expect(bram.locator(".notes")).to_have_count(0)  # the report shows enough
    expect(bram.get_by_text("are sealed")).to_have_count(0)
    to_orders = bram.get_by_role("link", name="Your orders for turn 2")
    if size is WIDE:
        assert bram.evaluate("scrollY") == 0
        expect(to_orders).to_be_hidden()
    else:
        to_orders.click()
        expect(bram.locator("#orders-title")).to_be_in_viewport()


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("state", ["clock_of_two", "clock_of_four"])
def test_countdown_does_not_move_the_page(open_state: Any, state: str, size: ViewportSize) -> None:
    page = open_state(state, size)
    heights = []
    for words in ("9 hours left", "2 days, 23 hours left", "23 hours, 59 minutes left"):
        page.evaluate(
            "words => document.querySelectorAll('.time-left').forEach(e => e.textContent = words)",
            words,
        )
        heights.append(page.evaluate("document.documentElement.scrollHeight"))
    assert len(set(heights)) == 1, heights


@pytest.mark.parametrize("size", [WIDE, LOW_WINDOW, PHONE], ids=["wide", "low", "phone"])
def test_page_shows_the_news_and_announces_damage_when_a_turn_is_revealed(
    desks: Desks, embedded_site: Site, size: ViewportSize
) -> None:
    """Both wizards see the news, and the buttons above the order sheet are still shown."""
    (scene,) = scenes(embedded_site)
    ada, bram = desks.ada(scene, viewport=size), desks.bram(scene, viewport=size)
    choose_both(ada, ">-")
    ada.get_by_role("button", name="Seal these orders").click()
    expect(ada.locator("[data-receipt]")).to_be_visible()
    ada.evaluate("scrollTo(0, document.body.scrollHeight)")
    choose_both(bram, "W-")
    bram.get_by_role("button", name="Seal these orders").click()
    for page, said in ((ada, "The turn has been played. "), (bram, "")):
        news = page.locator("#turn-1")
        expect(news).to_be_focused(timeout=POLL_TIMEOUT)
        expect(news.locator("li").first).to_be_in_viewport()
        expect(page.locator("[data-announce]")).to_have_text(
            re.compile(f"^{said}Bram\\b.* now has 1 point|^{said}.*1 point of damage now[.]$")
        )
        for name in ("Keys", "Find a spell"):
            expect(page.locator(".sheet-tools").get_by_text(name)).to_be_visible()
    assert "#" not in ada.url  # the address no longer points to the sealed orders


def delay_fonts(page: Page, url: str) -> None:
    """Delay the site's fonts."""

    def late(route: Route) -> None:
        page.wait_for_timeout(600)
        route.continue_()

    page.route("**/*.woff2", late)


def slow_processor_down(page: Page, url: str) -> None:
    """Delay scripts, and slow the processor down."""

    def late(route: Route) -> None:
        page.wait_for_timeout(200)
        route.continue_()

    page.route("**/*.js", late)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 6})


def slow_page_down(page: Page, url: str) -> None:
    """Load the page's HTML slowly."""
    pace = {"latency": 0, "downloadThroughput": 6_000, "uploadThroughput": -1}
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.send(
        "Network.emulateNetworkConditionsByRule",
        {"offline": False, "matchedNetworkConditions": [{"urlPattern": url, **pace}]},
    )


SLOW_LOADS = (delay_fonts, slow_processor_down, slow_page_down)
SLOWLY_LOADED_STATES = ("answers", "two_monsters", "over", *STATES_WITH_MANY_WIZARDS)


SLOW_PAGES = [
    pytest.param(*each, size, id=f"{each[0]}-{each[1].__name__}-{size['width']}")
    for each, size in zip(
        product(SLOWLY_LOADED_STATES, SLOW_LOADS), cycle((WIDE, PHONE)), strict=False
    )
]


# Every state is loaded with each of the delays, but only half of these pages on one day. The window
# sizes alternate.
@pytest.mark.parametrize(("state", "slow", "size"), daily.sample(SLOW_PAGES, 2, "slow pages"))
def test_page_does_not_jump_while_it_loads_slowly(
    browser: Browser,
    embedded_site: Site,
    duel_states: dict[str, tuple[str, str]],
    state: str,
    slow: Callable[[Page, str], None],
    size: ViewportSize,
) -> None:
    """The fonts, the scripts or the page itself load slowly, and the cache is empty."""
    path, session = duel_states[state]
    with window(browser, embedded_site) as opened:
        page = opened.new_page()
        use_session(opened, session, embedded_site)
        page.set_viewport_size(size)
        page.goto("/robots.txt")  # throttling ends if Chromium starts a new process
        slow(page, f"{embedded_site.url}{path}")
        page.goto(path)
        page.evaluate("document.fonts.ready.then(() => true)")
        jumps = page.evaluate(LAYOUT_SHIFTS)
    assert sum(by for by, *_ in jumps) < MAX_INVISIBLE_SHIFT, jumps
