"""Closing of browser windows, even while their page is reloading.

If a page is about to be replaced by the next one, Chromium confirms a request to close it but then
ignores it (crbug.com/536385539), and Playwright waits forever for the page to close. The site's
pages reload when a turn has been played, so these functions repeat the request until the page is
closed.
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
    # Requests that a page sends while it is being closed must not wait for a handler of the test.
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
            # Chromium has closed the page; the next message tells Playwright
        time.sleep(PAUSE_SECONDS)
    chromium.detach()
