"""The bytes and requests of a visit to a duel's page in Chromium.

Bytes include headers. The site is served as in production. Browsers accept brotli from localhost,
and otherwise only over HTTPS.
"""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, sync_playwright

from bench.output import Figure
from bench.site import LOCALHOST, served_site
from bench.web import duel_path, signed_in_client
from duels.models import Duel, Wizard
from tests.browser.windows import close_page
from tests.services import CHROMIUM_FLAGS, chromium_path

PATIENCE_MS = 60_000


def figures(black: Wizard, duel: Duel, env: Mapping[str, str]) -> Iterator[Figure]:
    """Yield the results for a first visit, and for a later one with a filled browser cache."""
    program = chromium_path()
    if program is None:
        return
    session = signed_in_client(black).cookies["sessionid"].value
    with served_site(env) as port, sync_playwright() as playwright:
        url = f"http://{LOCALHOST}:{port}"
        browser = playwright.chromium.launch(executable_path=program, args=list(CHROMIUM_FLAGS))
        window = browser.new_context()
        window.add_cookies([{"name": "sessionid", "value": session, "url": url}])
        visits = {when: visit(window, url + duel_path(duel)) for when in ("first", "later")}
        browser.close()
    for when, sizes in visits.items():
        yield f"duel_page_transfer_bytes_{when}", sum(sizes), "bytes"
        yield f"duel_page_requests_{when}", len(sizes), "requests"


def visit(window: BrowserContext, address: str) -> list[float]:
    """Visit the page in a new tab, and return the bytes transferred for each response.

    Polls are not counted, because their number depends on how long the page takes.
    """
    page = window.new_page()
    wire = window.new_cdp_session(page)
    polls: set[str] = set()
    received: dict[str, float] = {}

    def on_request_sent(event: Any) -> None:
        if _is_poll(event["request"]["url"]):
            polls.add(event["requestId"])

    def on_loading_finished(event: Any) -> None:
        received[event["requestId"]] = event["encodedDataLength"]

    wire.on("Network.requestWillBeSent", on_request_sent)
    wire.on("Network.loadingFinished", on_loading_finished)
    wire.send("Network.enable")
    with page.expect_response(lambda answer: _is_poll(answer.url), timeout=PATIENCE_MS):
        # The first poll is the last request that a page makes.
        answer = page.goto(address, timeout=PATIENCE_MS)
    assert answer is not None
    assert answer.status == 200, answer
    page.wait_for_load_state("networkidle")
    close_page(page)
    # For cached files and pictures inside style sheets, no bytes are transferred.
    return [size for request, size in received.items() if size and request not in polls]


def _is_poll(address: str) -> bool:
    return urlsplit(address).path.endswith("/poll")
