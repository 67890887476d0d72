"""Windows that close, also while their page is loading itself anew.

Chromium answers that it closes a page, and forgets it, where the page is just being replaced by
the next one (crbug.com/536385539); Playwright waits for the end of that page without a limit.
Pages of this site load themselves anew when a turn has been played, so the page is told to close
until it has closed.
"""

import time

from playwright.sync_api import BrowserContext, Error, Page

PATIENCE_SECONDS = 60  # the machine may be busy
PAUSE_SECONDS = 0.01


def close_window(window: BrowserContext) -> None:
    for page in window.pages:
        close_page(page)
    window.close()


def close_page(page: Page) -> None:
    # What a page sends while it closes waits for no handler of the test.
    page.unroute_all(behavior="ignoreErrors")
    browser = page.context.browser
    assert browser is not None
    target = page.context.new_cdp_session(page).send("Target.getTargetInfo")["targetInfo"]
    chromium = browser.new_browser_cdp_session()
    give_up = time.monotonic() + PATIENCE_SECONDS
    while not page.is_closed():
        assert time.monotonic() < give_up, f"{page.url} does not close"
        try:
            chromium.send("Target.closeTarget", {"targetId": target["targetId"]})
        except Error as error:
            if "No target" not in error.message:
                raise
            # It has closed; Playwright learns of it with the next message.
        time.sleep(PAUSE_SECONDS)
    chromium.detach()
