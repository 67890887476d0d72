"""Duels laid out in the site's own database, so that a test begins where it has something to show.

`scenes` asks the site to build them in one go; `lay_out` is what runs there. In every scene Ada,
at w0, has an order sheet before her.
"""

import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from tests.browser.windows import close_window
from tests.sites import Site

if TYPE_CHECKING:
    from duels.models import Wizard

PATIENCE_SECONDS = 60  # the machine may be busy


@dataclass(frozen=True)
class Scene:
    """A duel's address, and a session in which Ada and Bram are signed in."""

    path: str
    ada: str
    bram: str


@dataclass
class Desks:
    """Windows before these duels, closed when the test is done."""

    browser: Browser
    site: Site
    windows: list[BrowserContext] = field(default_factory=list)

    def ada(self, scene: Scene, **context: Any) -> Page:
        """Ada's window."""
        return self.window(scene.path, scene.ada, context)

    def bram(self, scene: Scene, **context: Any) -> Page:
        """Bram's window."""
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
    """Chooses a gesture, and waits until the sheet has said what it makes of it."""
    with page.expect_response("**/sheet"):
        press(page.locator(f'input[name="{field}"][value="{letter}"]'))
    expect(page.locator('#sealing[data-asks="idle"]')).to_have_count(0)
    settled(page)


def press(choice: Locator) -> None:
    """Chooses by the space bar, on a page that is complete.

    Before that, what the address names (as `#orders`) may take the focus between the two keys.
    """
    choice.page.wait_for_load_state()
    choice.press("Space")


def seal(page: Page) -> None:
    """Seal the orders on the sheet, and confirm if the page asks.

    A page that is still loading may scroll to its fragment while the mouse button is down, and
    the click is lost.
    """
    page.wait_for_load_state()
    settled(page)
    asks = page.locator('[data-script="on"] #sealing[data-asks]').count() > 0
    page.locator("#order-form button.seal, #questions button.seal").click()
    if asks:
        page.get_by_role("dialog").locator("button.seal").click()


def settled(page: Page) -> None:
    """Waits until what the sheet has answered stands on the page: a press before it may be lost."""
    expect(page.locator(".htmx-request, .htmx-swapping, .htmx-settling")).to_have_count(0)


def until_held(page: Page, held: Sequence[Route]) -> None:
    """Waits until the page has sent a request that a route of the test holds back."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    while not held:
        assert time.monotonic() < give_up, "the page has asked nothing"
        page.wait_for_timeout(20)


def scenes(
    site: Site, setups: Sequence[Mapping[str, object]] = ({},), ruleset: str = "bartle-1"
) -> list[Scene]:
    """A duel under these rules, Bartle's if no others are named, for each of these setups."""
    return [Scene(**row) for row in site.call(lay_out, list(setups), ruleset)]


def lay_out(
    setups: Sequence[Mapping[str, object]], ruleset: str = "bartle-1"
) -> list[dict[str, Any]]:
    """Runs inside the site: builds the duels, and says where they are."""
    from django.utils import timezone

    import engine
    from duels.models import Duel, Turn
    from tests.cast import begin, make_wizard

    ada, bram = (make_wizard(f"{name} {secrets.token_hex(3)}") for name in ("Ada", "Bram"))
    found = []
    for setup in setups:
        duel = begin(ada, bram, ruleset=ruleset)
        duellists = [engine.Duellist("Ada", "she"), engine.Duellist("Bram", "he")]
        position = engine.begin(ruleset, duellists, setup=setup)
        Turn.objects.filter(duel=duel).update(
            position=engine.dump(position), opened_at=timezone.now()
        )
        Duel.objects.filter(pk=duel.pk).update(setup=setup)
        found.append(asdict(Scene(f"/duels/{duel.pk}/", session_of(ada), session_of(bram))))
    return found


def session_of(wizard: "Wizard") -> str:
    """A session in which this wizard's user is signed in."""
    from django.test import Client

    assert wizard.user is not None
    client = Client()
    client.force_login(wizard.user)
    return client.cookies["sessionid"].value
