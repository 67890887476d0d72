"""A test of a whole dispute: the ruling, an appeal and the second ruling."""

import re
import time
from collections.abc import Iterator
from email.message import EmailMessage

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.person import Person, load, signed_in_person
from tests.browser.windows import close_window
from tests.sites import Site

PATIENCE_SECONDS = 60


@pytest.fixture
def players_and_referees(browser: Browser, embedded_site: Site) -> Iterator[dict[str, Person]]:
    """Yield windows of two players, Ada and Bram, and two referees, Rhea and Silas."""
    found = {}
    for name in ("Ada", "Bram", "Rhea", "Silas"):
        window = browser.new_context(base_url=embedded_site.url)
        found[name] = signed_in_person(window, embedded_site, f"{name} of the Dispute")
    for name in ("Rhea", "Silas"):
        session = embedded_site.call(appoint, found[name].email)
        cookie = {"name": "sessionid", "value": session, "url": embedded_site.url}
        found[name].page.context.add_cookies([cookie])  # type: ignore[list-item]  # Playwright's type
    yield found
    for person in found.values():
        close_window(person.page.context)


def appoint(email: str) -> str:
    """Appoint a referee who has just signed in with a second factor, and return a session key.

    Call this with `Site.call`.
    """
    from django.test import Client

    from duels.referees import appointments
    from tests.cast import sign_in_with_second_factor

    client = Client()
    sign_in_with_second_factor(client, appointments.appoint_referee(email=email))
    return client.cookies["sessionid"].value


def begin_duel(ada: str, bram: str) -> str:
    """Begin a duel between these wizards, play a turn, and return the duel's address.

    Call this with `Site.call`.
    """
    from django.utils import timezone

    from duels.models import Wizard
    from tests.cast import begin, hands, play

    first, second = (Wizard.objects.get(name=name) for name in (ada, bram))
    duel = begin(first, second, pace="259200")
    play(duel, {first: hands("S", "W"), second: hands("W", "P")}, now=timezone.now())
    return f"/duels/{duel.pk}/"


def mail_to(person: Person, subject: str) -> EmailMessage:
    """Wait for an email with a matching subject, and return it."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < give_up:
        found = [mail for mail in person.mails() if re.search(subject, str(mail["Subject"]))]
        if found:
            return found[-1]
        time.sleep(0.2)
    raise AssertionError(f"no email with a subject like {subject!r}")


def text_of(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return " ".join(part.get_content().split())


def claim_and_rule(page: Page, number: str, verdict: str, words: str) -> None:
    """As a referee, find the case at the desk, claim it and rule on it."""
    load(page, "/desk/")
    page.locator(f'[data-case="{number}"] a.who').click()
    page.get_by_role("button", name="Claim case").click()
    load(page, f"/desk/cases/{number}/ruling/")
    page.get_by_label("Verdict").select_option(label=verdict)
    page.get_by_label("Ruling, for everyone to read").fill(words)
    page.get_by_label("Cited rules").fill("R21")
    page.get_by_role("button", name="Publish ruling").click()
    expect(page.locator("main")).to_contain_text(words)


def test_dispute_gets_a_ruling_an_appeal_and_a_second_ruling(
    players_and_referees: dict[str, Person], embedded_site: Site
) -> None:
    ada, bram = players_and_referees["Ada"], players_and_referees["Bram"]
    path = embedded_site.call(begin_duel, ada.name, bram.name)
    ada.open(f"{path}turns/1/")
    ada.page.get_by_role("link", name="Dispute this turn").click()
    ada.page.get_by_label("A rule was misplayed").check()
    ada.page.get_by_label("Rule (optional)").fill("spell:shield")
    ada.page.get_by_label("What was wrong?").fill("My shield should have stopped it.")
    ada.page.get_by_role("button", name="Open dispute").click()
    expect(ada.page.get_by_role("heading", level=1)).to_contain_text("Dispute")
    number = ada.page.url.rstrip("/").rpartition("/")[2]
    told = text_of(mail_to(bram, f"Dispute {number} in your duel"))
    assert "the clocks of the duel are stopped" in told
    ada.open(path)
    expect(ada.page.locator("#live-halted")).to_contain_text("This duel is paused")

    # at the desk, a referee who has ruled does not see the appeal
    first = "The shield was a turn late."
    claim_and_rule(players_and_referees["Rhea"].page, number, "The engine was right", first)
    expect(ada.page.locator("#live-halted")).to_be_empty()
    mail = mail_to(bram, f"Ruling .* on dispute {number}")
    assert first in text_of(mail)
    link = re.search(rf"https?://\S+(/disputes/{number}/)", text_of(mail))
    assert link is not None
    bram.open(link[1])
    expect(bram.page.locator("main")).to_contain_text(first)
    bram.page.get_by_label("Why is the ruling wrong?").fill("It was in time.")
    bram.page.get_by_role("button", name="Appeal").click()
    expect(bram.page.locator("main")).to_contain_text("waiting for another referee")
    load(players_and_referees["Rhea"].page, "/desk/")
    expect(players_and_referees["Rhea"].page.locator("[data-for-others]")).to_be_visible()
    expect(players_and_referees["Rhea"].page.locator(f'[data-case="{number}"]')).to_have_count(0)

    second = "The shield was in time after all."
    claim_and_rule(players_and_referees["Silas"].page, number, "The engine was wrong", second)
    bram.page.reload()
    expect(bram.page.locator("main")).to_contain_text(second)
    expect(bram.page.get_by_label("Why is the ruling wrong?")).to_have_count(0)
    load(ada.page, "/rulings/?rule=R21")
    expect(ada.page.locator("main")).to_contain_text(second)
    expect(ada.page.locator("main")).not_to_contain_text(bram.name)
