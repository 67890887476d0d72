"""Tests of private messages, a report and the bell in two players' windows, without scripts."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.person import Person, signed_in_person
from tests.browser.test_disputes import appoint
from tests.browser.windows import close_window
from tests.sites import Site


@pytest.fixture
def people(
    browser: Browser, embedded_site: Site, request: pytest.FixtureRequest
) -> Iterator[list[Person]]:
    """Yield two players and a referee, all in browsers without JavaScript."""
    found, origin = [], "Letters" if "desk" in request.node.name else "Bells"
    for name in ("Alma", "Bodo", "Runa"):
        window = browser.new_context(base_url=embedded_site.url, java_script_enabled=False)
        found.append(signed_in_person(window, embedded_site, f"{name} of {origin}"))
    session = embedded_site.call(appoint, found[2].email)
    cookie = {"name": "sessionid", "value": session, "url": embedded_site.url}
    found[2].page.context.add_cookies([cookie])  # type: ignore[list-item]  # Playwright's type
    embedded_site.call(let_write, found[0].name, found[1].name)
    yield found
    for person in found:
        close_window(person.page.context)


def let_write(one: str, other: str) -> None:
    """Create a challenge between two wizards, so that they may write. Call it with `Site.call`."""
    from django.utils import timezone

    from duels.models import Wizard
    from tests.cast import challenge

    first, second = (Wizard.objects.get(name=name) for name in (one, other))
    challenge(first, opponent=second, now=timezone.now())


def send_message(page: Page, words: str) -> None:
    page.get_by_label("Message", exact=True).fill(words)
    page.get_by_role("button", name="Send message").click()


def bell_number(page: Page) -> str:
    """Open a page that does not mark any news as read, and return the number next to the bell."""
    page.goto("/rules/")
    text = page.locator(".site-nav").get_by_role("link", name="News").inner_text()
    return "".join(re.findall(r"\d+", text))


def test_reported_message_reaches_the_desk(people: list[Person]) -> None:
    alma, bodo, runa = people
    alma.open("/wizards/bodo-of-letters/")
    alma.page.get_by_role("link", name="Message").click()
    send_message(alma.page, "Well fought, until now.")
    expect(alma.page.locator("main")).to_contain_text("has not accepted your first message yet")

    bodo.open("/messages/")
    bodo.page.get_by_role("link", name="Alma of Letters (1 new)").click()
    bodo.page.get_by_role("button", name="Accept messages").click()
    alma.open("/messages/bodo-of-letters/")
    send_message(alma.page, "You cheat, and you will regret it.")

    bodo.open("/messages/alma-of-letters/")
    bodo.page.get_by_role("link", name="Report").last.click()
    bodo.page.get_by_label("What is wrong with it?").fill("This is a threat.")
    bodo.page.get_by_role("button", name="Send report").click()
    expect(bodo.page.get_by_role("heading", level=1)).to_contain_text("Report")

    runa.open("/desk/")
    runa.page.get_by_role("link", name="A message by Alma of Letters").click()
    case = runa.page.locator("main")
    expect(case).to_contain_text("reported:\n> You cheat, and you will regret it.")
    expect(case).to_contain_text("Well fought, until now.")
    expect(case).to_contain_text("This is a threat.")


def test_bell_counts_a_message_until_it_is_read(people: list[Person]) -> None:
    alma, bodo, _ = people
    bodo.open("/news/")
    bodo.page.get_by_role("button", name="Mark all as read").click()
    assert bell_number(bodo.page) == ""
    alma.open("/messages/bodo-of-bells/")
    send_message(alma.page, "Shall we duel again?")
    assert bell_number(bodo.page) == "1"
    bodo.page.get_by_role("link", name="News (1)").click()
    bodo.page.get_by_role("link", name="Alma of Bells").first.click()
    expect(bodo.page.locator("main")).to_contain_text("Shall we duel again?")
    assert bell_number(bodo.page) == ""
