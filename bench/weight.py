"""What a visit to a duel's page weighs over the wire: everything that Chromium is sent for it,
headers and all, by the site as production serves it.

Of this machine itself browsers accept what they else accept through HTTPS only: brotli.
"""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import BrowserContext, sync_playwright

from bench.played import duel_at
from bench.web import page_of, signed_in
from duels.models import Wizard
from tests.browser.windows import close_page
from tests.services import CHROMIUM_FLAGS, accepts, chromium, free_port, running

TURN = 20
SETTLED_MS = 500  # after the page has loaded: fonts that its last words need, the first poll
Figure = tuple[str, float, str]


def figures(black: Wizard, white: Wizard, env: Mapping[str, str]) -> Iterator[Figure]:
    """A first visit, and one with what the first has left in the browser, as name, value, unit."""
    program = chromium()
    if program is None:
        print(
            "Chromium is not installed; the Debian package chromium-headless-shell brings it. "
            "duel_page_transfer_bytes_first and _later are not measured without it.",
            file=sys.stderr,
        )
        return
    path = page_of(duel_at(TURN, black, white))
    session = signed_in(black).cookies["sessionid"].value
    with served(env) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(CHROMIUM_FLAGS))
        window = browser.new_context()
        window.add_cookies([{"name": "sessionid", "value": session, "url": url}])
        first, later = sent(window, url + path), sent(window, url + path)
        browser.close()
    yield "duel_page_transfer_bytes_first", first, "bytes"
    yield "duel_page_transfer_bytes_later", later, "bytes"


def sent(window: BrowserContext, address: str) -> float:
    """The bytes that one visit brings in a new tab, each file as it goes over the wire."""
    page = window.new_page()
    wire = window.new_cdp_session(page)
    received: list[float] = []
    wire.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    wire.send("Network.enable")
    answer = page.goto(address)
    assert answer is not None
    assert answer.status == 200, answer
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(SETTLED_MS)
    close_page(page)
    return sum(received)


@contextmanager
def served(env: Mapping[str, str]) -> Iterator[str]:
    """The measured site on a port of its own."""
    port = free_port()
    with running(
        [
            *(sys.executable, "-m", "gunicorn", "spellcaster.wsgi"),
            *(f"--bind=127.0.0.1:{port}", "--threads=4"),
        ],
        log=Path(env["VAR_DIR"]) / "weighed.log",
        env=env,
        ready=lambda: accepts(port),
    ):
        yield f"http://127.0.0.1:{port}"
