"""What a person does in a browser window: signs up, reads mail, challenges, writes orders."""

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import EmailMessage

from playwright.sync_api import BrowserContext, Error, Locator, Page, expect

from tests.browser.scenes import press, seal, settled
from tests.sites import Site

PASSWORD = "candle and raven and ink"
SIDES = ("left", "right")
LOADS = 4
INTERRUPTED = re.compile(
    "ERR_ABORTED|interrupted by another navigation|Not attached to an active page"
)


@dataclass
class Person:
    """Somebody at the site, with a wizard of this name."""

    page: Page
    site: Site
    name: str
    email: str

    def mails(self) -> list[EmailMessage]:
        """Every mail that came to this person, oldest first."""
        return [mail for mail in self.site.mails() if self.email in str(mail["To"])]

    def open(self, path: str) -> None:
        load(self.page, path)

    def square(self, turn: int, wizard: str, side: str) -> Locator:
        """One square of a turn that has been played; wizard by engine id."""
        return self.page.locator(
            f'.history tr[data-turn="{turn}"]:not(.now) td[data-hand="{wizard}-{side}"]'
        )

    def damage(self, wizard: str) -> int:
        """The damage that the page shows for a wizard (by engine id)."""
        shown = self.page.locator(f'[data-being="{wizard}"] [data-damage]')
        return int(shown.get_attribute("data-damage") or "")

    def turn_number(self) -> int:
        """The number of the turn that is being ordered, by the order sheet."""
        found = re.search(r"turn (\d+)", self.page.locator("#orders-title").inner_text())
        assert found is not None
        return int(found[1])

    def is_waited_for(self) -> bool:
        """Whether the page says that the turn waits for this wizard's seal."""
        seal = self.page.locator(f'[data-seal-of="{self.name}"]')
        return "has not sealed yet" in seal.inner_text()

    def gesture(self, field: str, letter: str) -> None:
        """Choose a gesture; whoever cannot (a forced hand) must have it already."""
        choice = self.page.locator(f'input[name="{field}"][value="{letter}"]')
        if not choice.is_checked():
            with answered(self.page):
                press(choice)  # a click would have to hit a page that is still scrolling
            expect(choice).to_be_checked()

    def choose(self, field: str, value: str) -> None:
        """Choose from a list of the order sheet."""
        with answered(self.page):
            self.page.locator(f'[name="{field}"]').select_option(value)

    def settled(self, pair: str) -> None:
        """The order sheet shows what this pair of gestures completes."""
        expect(self.page.locator(f'#sheet-rest[data-pair="{pair}"]')).to_be_attached()

    def choose_spell(self, field: str, spell: str) -> None:
        """Choose a completed spell; one that is cast anyway needs no choosing."""
        row = self.page.locator(f'[data-field="{field}"] [data-spell="{spell}"]')
        expect(row).to_be_visible()
        choice = row.locator("input")
        if choice.count() and not choice.is_checked():
            with answered(self.page):  # the sheet asks what this spell can be cast at
                choice.check()

    def seal(self) -> None:
        """Seal these orders, and confirm if the page asks."""
        seal(self.page)


@contextmanager
def answered(page: Page) -> Iterator[None]:
    """Make a choice on the order sheet inside the block; the sheet has followed it afterwards.

    Without JavaScript nothing follows.
    """
    page.wait_for_load_state()
    if page.locator('html[data-script="on"]').count():
        with page.expect_response("**/sheet"):
            yield
        settled(page)
    else:
        yield


def load(page: Page, path: str) -> None:
    """Load a page, and try again if the page that is open was just reloading itself.

    Going to the address of an open page that has a fragment loads nothing, so this reloads it.
    """
    for attempt in range(LOADS):
        try:
            if path == page.url:
                page.reload()
            else:
                page.goto(path)
        except Error as error:
            if attempt == LOADS - 1 or not INTERRUPTED.search(error.message):
                raise
            page.wait_for_load_state()
        else:
            return


def signed_in(window: BrowserContext, site: Site, name: str) -> Person:
    """Somebody with an account, a wizard and a session; `sign_up` takes the way through pages."""
    email = _address()
    session = site.call(enter, name, email)
    window.add_cookies([{"name": "sessionid", "value": session, "url": site.url}])
    return Person(window.new_page(), site, name, email)


def enter(name: str, email: str) -> str:
    """Runs inside the site: makes the account and the wizard; the key of a session."""
    from django.utils import timezone

    from duels import commands
    from tests.browser.scenes import session_of
    from tests.cast import make_user

    wizard = commands.create_wizard(
        user=make_user(email), name=name, pronouns="they", now=timezone.now()
    )
    return session_of(wizard)


def _address() -> str:
    return f"{secrets.token_hex(6)}@example.test"


def sign_up(page: Page, site: Site, name: str) -> Person:
    """Signs up and follows the mailed link."""
    person = Person(page, site, name, _address())
    page.goto("/accounts/signup/")
    page.locator('[name="email"]').fill(person.email)
    page.locator('[name="password1"]').fill(PASSWORD)
    page.get_by_label("Wizard’s name").fill(name)
    page.get_by_role("button", name="Sign up").click()
    page.wait_for_url("**/accounts/confirm-email/")  # the mail has been sent by then
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
    """The link in the mail that verifies the address."""
    (mail,) = person.mails()
    body = mail.get_body(("plain",))
    assert body is not None
    found = re.search(r"https?://\S+/accounts/confirm-email/\S+", body.get_content())
    assert found is not None
    return found[0]
