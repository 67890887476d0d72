"""A simulated person with a browser window who signs up, reads email and writes orders."""

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import EmailMessage

from playwright.sync_api import BrowserContext, Error, Locator, Page, expect

from tests.browser.scenes import press, seal, wait_until_settled
from tests.sites import Site

PASSWORD = "candle and raven and ink"
SIDES = ("left", "right")
MAX_LOADS = 4
LOAD_INTERRUPTION = re.compile(
    "ERR_ABORTED|interrupted by another navigation|Not attached to an active page"
)


@dataclass
class Person:
    """A user of the site, with a wizard of this name."""

    page: Page
    site: Site
    name: str
    email: str

    def mails(self) -> list[EmailMessage]:
        """Return all emails to this person, oldest first."""
        return [mail for mail in self.site.mails() if self.email in str(mail["To"])]

    def open(self, path: str) -> None:
        load(self.page, path)

    def square(self, turn: int, wizard: str, side: str) -> Locator:
        """Return the history's square for a wizard's hand in a past turn.

        `wizard` is the wizard's id in the engine.
        """
        return self.page.locator(
            f'.history tr[data-turn="{turn}"]:not(.now) td[data-hand="{wizard}-{side}"]'
        )

    def damage(self, wizard: str) -> int:
        """Return the damage that the page shows for the wizard with this engine id."""
        shown = self.page.locator(f'[data-being="{wizard}"] [data-damage]')
        return int(shown.get_attribute("data-damage") or "")

    def turn_number(self) -> int:
        """Return the number of the open turn, from the title of the order sheet."""
        found = re.search(r"turn (\d+)", self.page.locator("#orders-title").inner_text())
        assert found is not None
        return int(found[1])

    def is_awaited(self) -> bool:
        """Return whether the page shows that the turn waits for this wizard's seal."""
        seal = self.page.locator(f'[data-seal-of="{self.name}"]')
        return "not sealed yet" in seal.inner_text()

    def choose_gesture(self, field: str, letter: str) -> None:
        """Choose a gesture, unless the hand is forced and the gesture already chosen."""
        choice = self.page.locator(f'input[name="{field}"][value="{letter}"]')
        if not choice.is_checked():
            with wait_for_sheet_update(self.page):
                press(choice)  # a mouse click could miss while the page scrolls
            expect(choice).to_be_checked()

    def choose(self, field: str, value: str) -> None:
        """Choose an option from a list in the order sheet."""
        with wait_for_sheet_update(self.page):
            self.page.locator(f'[name="{field}"]').select_option(value)

    def wait_for_spells(self, pair: str) -> None:
        """Wait until the order sheet shows the spells that this pair of gestures completes."""
        expect(self.page.locator(f'#sheet-rest[data-pair="{pair}"]')).to_be_attached()

    def choose_spell(self, field: str, spell: str) -> None:
        """Choose a completed spell, unless it is the only one."""
        row = self.page.locator(f'[data-field="{field}"] [data-spell="{spell}"]')
        expect(row).to_be_visible()
        choice = row.locator("input")
        if choice.count() and not choice.is_checked():
            with wait_for_sheet_update(
                self.page
            ):  # the sheet then loads the subjects of this spell
                choice.check()

    def seal(self) -> None:
        """Seal these orders, and confirm if the page asks."""
        seal(self.page)


@contextmanager
def wait_for_sheet_update(page: Page) -> Iterator[None]:
    """Run the block, which makes a choice on the order sheet, and wait until the sheet is updated.

    Without JavaScript, the sheet is not updated.
    """
    page.wait_for_load_state()
    if page.locator('html[data-script="on"]').count():
        with page.expect_response("**/sheet"):
            yield
        wait_until_settled(page)
    else:
        yield


def load(page: Page, path: str) -> None:
    """Load a page, and try again if the current page has just begun to reload.

    If the address is the current one with a fragment, nothing would be loaded, so reload the page.
    """
    for attempt in range(MAX_LOADS):
        try:
            if attempt:
                page.goto("about:blank")  # leaves a page that cannot be reloaded
            if path == page.url:
                page.reload()
            else:
                page.goto(path)
        except Error as error:
            if attempt == MAX_LOADS - 1 or not LOAD_INTERRUPTION.search(error.message):
                raise
            page.wait_for_load_state()
        else:
            return


def signed_in_person(window: BrowserContext, site: Site, name: str) -> Person:
    """Return a person with an account, a wizard and a session, created without pages."""
    email = _random_address()
    session = site.call(create_session, name, email)
    window.add_cookies([{"name": "sessionid", "value": session, "url": site.url}])
    return Person(window.new_page(), site, name, email)


def create_session(name: str, email: str) -> str:
    """Create an account and a wizard, and return a session key. Call this with `Site.call`."""
    from django.utils import timezone

    from duels.commands import profiles
    from tests.browser.scenes import session_of
    from tests.cast import make_user

    wizard = profiles.create_wizard(
        user=make_user(email), name=name, pronouns="they", now=timezone.now()
    )
    return session_of(wizard)


def _random_address() -> str:
    return f"{secrets.token_hex(6)}@example.test"


def sign_up(page: Page, site: Site, name: str) -> Person:
    """Sign up on the page and follow the emailed link."""
    person = Person(page, site, name, _random_address())
    page.goto("/accounts/signup/")
    page.locator('[name="email"]').fill(person.email)
    page.locator('[name="password1"]').fill(PASSWORD)
    page.get_by_label("Wizard’s name").fill(name)
    page.get_by_role("button", name="Sign up").click()
    page.wait_for_url("**/accounts/confirm-email/")  # the email has been sent by then
    link = confirmation_link(person)
    page.goto(link)
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_url(lambda url: "confirm-email" not in url)
    if "login" in page.url:
        page.locator('[name="login"]').fill(person.email)
        page.locator('[name="password"]').fill(PASSWORD)
        page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.locator(".site-nav")).to_contain_text(name)
    return person


def confirmation_link(person: Person) -> str:
    """Return the link in the email that verifies the address."""
    (mail,) = person.mails()
    body = mail.get_body(("plain",))
    assert body is not None
    found = re.search(r"https?://\S+/accounts/confirm-email/\S+", body.get_content())
    assert found is not None
    return found[0]
