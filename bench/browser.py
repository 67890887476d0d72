"""The time from a seal in one browser window until the opponent's window shows it.

The site runs in separate processes, with PostgreSQL, Redis and a worker if they are installed, and
otherwise with its embedded defaults.
"""

import re
import time
from collections.abc import Iterator
from contextlib import ExitStack
from statistics import median

from playwright.sync_api import Locator, Page, expect, sync_playwright

from bench.output import Figure
from bench.sizes import Size
from tests import services, sites
from tests.browser.scenes import Desks, scenes
from tests.sites import Site

PATIENCE_SECONDS = 30
CHECK_INTERVAL_MS = 10
ORDERS = {"left": "P", "right": "D"}


def figures(size: Size, server: str) -> Iterator[Figure]:
    """Yield the time until a seal is shown, in milliseconds, or nothing without Chromium."""
    if not services.chromium_path():
        return
    with ExitStack() as stack:
        site = _start_site(stack, server)
        browser = stack.enter_context(sync_playwright()).chromium.launch(
            executable_path=services.chromium_path(), args=list(services.CHROMIUM_FLAGS)
        )
        desks = Desks(browser, site)
        (scene,) = scenes(site)
        ada, bram = desks.ada(scene), desks.bram(scene)
        seen = [seal_seen_ms(ada, bram, turn) for turn in range(1, size.browser_turns + 1)]
        yield "seal_seen_by_other_ms", median(seen), "ms"
        desks.close()
        browser.close()


def _start_site(stack: ExitStack, server: str) -> Site:
    if not server or "Redis" in services.missing_programs():
        return stack.enter_context(sites.embedded_site())
    redis = stack.enter_context(services.redis())
    return stack.enter_context(sites.services_site(server, redis))


def seal_seen_ms(ada: Page, bram: Page, turn: int) -> float:
    """Return the time from Ada's click on Seal until Bram's page shows her seal, in milliseconds.

    Bram then seals too, so that the next turn opens.
    """
    name = ada.locator(".site-nav .own-name").inner_text()
    for page in (ada, bram):
        expect(page.locator("#orders-title")).to_contain_text(
            f"turn {turn}", timeout=PATIENCE_SECONDS * 1_000
        )
    write_orders(ada)
    button = seal_button(ada)
    started = time.perf_counter()
    button.click()
    _wait_until_sealed(bram, name)
    taken = (time.perf_counter() - started) * 1_000
    write_orders(bram)
    seal_button(bram).click()
    return taken


def write_orders(page: Page) -> None:
    for field, letter in ORDERS.items():
        choice = page.locator(f'input[name="{field}"][value="{letter}"]')
        if not choice.is_checked():
            choice.press("Space")
    pair = "".join(ORDERS.values())
    expect(page.locator(f'#sheet-rest[data-pair="{pair}"]')).to_be_attached()


def seal_button(page: Page) -> Locator:
    return page.get_by_role("button", name=re.compile("^Seal"))


def _wait_until_sealed(page: Page, name: str) -> None:
    give_up = time.monotonic() + PATIENCE_SECONDS
    while page.locator(f'[data-seal-of="{name}"]').get_attribute("data-sealed") != "yes":
        if time.monotonic() > give_up:
            raise RuntimeError("The opponent's page does not show the seal.")
        page.wait_for_timeout(CHECK_INTERVAL_MS)
