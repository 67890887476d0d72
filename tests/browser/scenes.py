"""Duels prepared in the site's own database, so that tests can begin in an interesting position.

`scenes` asks the site to create several duels with one call of `create_scenes`. In every scene, Ada
(w0) has an order sheet.
"""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, Route, expect

from tests.browser.windows import close_window
from tests.sites import Site

if TYPE_CHECKING:
    from duels.models import Wizard

PATIENCE_SECONDS = 60  # the machine may be busy


@dataclass(frozen=True)
class Scene:
    """A prepared duel: its address, and the session keys of Ada and Bram."""

    path: str
    ada: str
    bram: str


@dataclass
class Desks:
    """Windows that show duels and are closed at the end of the test."""

    browser: Browser
    site: Site
    windows: list[BrowserContext] = field(default_factory=list)

    def ada(self, scene: Scene, **context: Any) -> Page:
        """Open a window for Ada."""
        return self.window(scene.path, scene.ada, context)

    def bram(self, scene: Scene, **context: Any) -> Page:
        """Open a window for Bram."""
        return self.window(scene.path, scene.bram, context)

    def window(self, path: str, session: str, context: Mapping[str, Any]) -> Page:
        opened = self.browser.new_context(base_url=self.site.url, **context)
        self.windows.append(opened)
        opened.add_cookies([{"name": "sessionid", "value": session, "url": self.site.url}])
        page = opened.new_page()
        page.goto(path)
        return page

    def close(self) -> None:
        for window in self.windows:
            close_window(window)


def choose(page: Page, field: str, letter: str) -> None:
    """Choose a gesture, and wait until the sheet shows its result."""
    with page.expect_response("**/sheet"):
        press(page.locator(f'input[name="{field}"][value="{letter}"]'))
    wait_until_settled(page)


def choose_both(page: Page, pair: str) -> None:
    """Choose a gesture for each hand: "W-" is a W with the left hand and nothing with the right."""
    choose(page, "left", pair[0])
    choose(page, "right", pair[1])


def press(choice: Locator) -> None:
    """Wait until the page has loaded, and choose an input with the space bar.

    While the page loads, the target of the address's fragment, such as `#orders`, may get the focus
    at any time.
    """
    choice.page.wait_for_load_state()
    choice.press("Space")


def seal(page: Page) -> None:
    """Seal the orders on the sheet, and confirm if the page asks.

    A page that is still loading may scroll to its fragment while the mouse button is down, and
    the click is lost.
    """
    page.wait_for_load_state()
    wait_until_settled(page)
    asks = page.locator('[data-script="on"] #sealing[data-asks]').count() > 0
    page.locator("#order-form button.seal, #questions button.seal").click()
    if asks:
        page.get_by_role("dialog").locator("button.seal").click()


def wait_until_settled(page: Page) -> None:
    """Wait until the page shows the response for the sheet, because earlier clicks may be lost."""
    expect(page.locator(".htmx-request, .htmx-swapping, .htmx-settling")).to_have_count(0)


def wait_until_held(page: Page, held: Sequence[Route]) -> None:
    """Wait until the page has sent a request that the test intercepts and holds back."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    while not held:
        if time.monotonic() > give_up:
            focus = page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
            pytest.fail(f"{page.url} has not sent the request; the focus is on {focus}")
        page.wait_for_timeout(20)


def poll(page: Page) -> None:
    """Make the page poll at once, as it does when the browser goes online again.

    A page that is being replaced by the next one polls when it has loaded.
    """
    with suppress(Error):
        page.evaluate("window.dispatchEvent(new Event('online'))")


def scenes(
    site: Site, setups: Sequence[Mapping[str, object]] = ({},), ruleset: str = "bartle-1"
) -> list[Scene]:
    """Create a duel for each of these setups, under this ruleset."""
    return [Scene(**row) for row in site.call(create_scenes, list(setups), ruleset)]


def create_scenes(
    setups: Sequence[Mapping[str, object]], ruleset: str = "bartle-1"
) -> list[dict[str, Any]]:
    """Create the duels, and return their scenes as dictionaries. Call this with `Site.call`."""
    from django.utils import timezone

    import engine.play
    from duels.models import Duel, Turn
    from tests.cast import begin, make_wizard

    ada, bram = (make_wizard(unique_name(name)) for name in ("Ada", "Bram"))
    found = []
    for setup in setups:
        duel = begin(ada, bram, ruleset=ruleset)
        duellists = [engine.play.Duellist("Ada", "she"), engine.play.Duellist("Bram", "he")]
        position = engine.play.begin(ruleset, duellists, setup=setup)
        Turn.objects.filter(duel=duel).update(
            position=engine.play.dump(position), opened_at=timezone.now()
        )
        Duel.objects.filter(pk=duel.pk).update(setup=setup)
        found.append(asdict(Scene(f"/duels/{duel.pk}/", session_of(ada), session_of(bram))))
    return found


def unique_name(name: str) -> str:
    """Return the name with a number that makes it unique on the site.

    The number has six digits, so that a page has the same layout in every run.
    """
    return f"{name} {next(_name_numbers):06}"


_name_numbers = count(1)


def session_of(wizard: "Wizard") -> str:
    """Return the session key of a client that is signed in as this wizard's user."""
    from django.test import Client

    assert wizard.user is not None
    client = Client()
    client.force_login(wizard.user)
    return client.cookies["sessionid"].value
