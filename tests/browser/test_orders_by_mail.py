"""A test of a whole duel in which one wizard uses only email and the other only the browser.

Emails go out by SMTP and come in by LMTP, through separate servers and workers.
"""

import re
import smtplib
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from email.message import EmailMessage

import pytest
from playwright.sync_api import expect

from tests.browser.person import Person, create_session
from tests.browser.test_sample_game import send_challenge
from tests.browser.where import ON_SERVICES
from tests.sites import Site, mail_listener

PATIENCE_SECONDS = 60


@dataclass
class Correspondent:
    """A player who reads and answers emails as an email program does, and never opens a page."""

    site: Site
    port: int
    email: str
    read: list[EmailMessage] = field(default_factory=list)

    def mail(self, subject: str) -> EmailMessage:
        """Wait for the next unread email with a matching subject, and return it."""
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            for mail in self.site.mails():
                is_mine = self.email in str(mail["To"])
                known = any(mail["Message-ID"] == each["Message-ID"] for each in self.read)
                if is_mine and not known and re.match(subject, str(mail["Subject"])):
                    self.read.append(mail)
                    return mail
            time.sleep(0.2)
        subjects = [str(mail["Subject"]) for mail in self.site.mails() if self.email in mail["To"]]
        raise AssertionError(f"no email with a subject like {subject!r}, but {subjects}")

    def answer(self, mail: EmailMessage, text: str) -> None:
        """Reply with this text above the quoted email."""
        reply = EmailMessage()
        reply["From"], reply["To"] = self.email, mail["Reply-To"]
        reply["Subject"] = f"Re: {mail['Subject']}"
        reply["In-Reply-To"] = mail["Message-ID"]
        quoted = "\n".join(f"> {line}" for line in text_body(mail).splitlines())
        reply.set_content(f"{text}\n\nOn Sat, Nov 7, 2026, {mail['From']} wrote:\n\n{quoted}\n")
        with closing(smtplib.LMTP("127.0.0.1", self.port)) as server:
            server.send_message(reply)


def text_body(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


@pytest.fixture
def correspondent(site: Site) -> Iterator[Callable[[str], Correspondent]]:
    with mail_listener(site) as port:

        def create_correspondent(name: str) -> Correspondent:
            email = f"{name.lower()}@example.test"
            site.call(create_session, name, email)
            return Correspondent(site, port, email)

        yield create_correspondent


def accept_challenge(name: str) -> int:
    """Accept the only challenge to this wizard, and return the duel's id.

    Call this with `Site.call`.
    """
    from django.utils import timezone

    from duels.commands import challenges
    from duels.models import Duel, Wizard

    wizard = Wizard.objects.get(name=name)
    duel = Duel.objects.get(seats__wizard=wizard)
    challenges.accept(duel_id=duel.pk, wizard=wizard, now=timezone.now())
    return duel.pk


@ON_SERVICES
def test_wizard_can_play_a_whole_duel_by_email(
    people: Callable[..., Person], correspondent: Callable[[str], Correspondent], site: Site
) -> None:
    noor, mila = people("Noor"), correspondent("Mila")
    send_challenge(noor, "Mila")
    mila.mail("Noor challenges you to a duel")
    duel = f"/duels/{site.call(accept_challenge, 'Mila')}/"

    begins = mila.mail("Your duel with Noor begins: turn 1")
    assert "\nleft -\nright -\n" in text_body(begins)
    mila.answer(begins, "left S\nright W\nSAY By candlelight")
    receipt = mila.mail("Orders sealed: turn 1")
    assert "By candlelight" in text_body(receipt)
    noor.open(duel)
    seal_gestures(noor, "W", "F")
    expect(noor.page.locator("#report, .report").first).to_contain_text("By candlelight")

    # The site's answer names a line that cannot be read. Then the corrected email completes a
    # Missile.
    turn = mila.mail(r"Your turn against Noor \(turn 2")
    mila.answer(turn, "left D\nrihgt W\nTARGET left Noor")
    assert "line 2: rihgt W" in text_body(mila.mail("Not sealed: turn 2"))
    mila.answer(turn, "left D\nright S\nTARGET left Noor")
    assert "Missile" in text_body(mila.mail("Orders sealed: turn 2"))
    noor.open(duel)
    seal_gestures(noor, "F", "S")

    # A surrender must be confirmed by a second email.
    turn = mila.mail(r"Your turn against Noor \(turn 3")
    assert re.search(r"(?m)^ +2 +", text_body(turn))
    mila.answer(turn, "left P\nright P")
    asked = mila.mail("Not sealed yet, please confirm")
    noor.open(duel)
    assert noor.turn_number() == 3
    mila.answer(asked, "left P\nright P")
    mila.mail("Orders sealed: turn 3")
    noor.open(duel)
    seal_gestures(noor, "W", "F")

    assert "Noor has won" in text_body(mila.mail("Your duel with Noor is over"))
    noor.open(duel)
    expect(noor.page.locator("main")).to_contain_text("Mila surrenders")


def seal_gestures(person: Person, left: str, right: str) -> None:
    """Seal these gestures, and wait until the page shows the turn's result."""
    turn = person.turn_number()
    person.choose_gesture("left", left)
    person.choose_gesture("right", right)
    person.seal()
    expect(person.page.locator(f'.history tr[data-turn="{turn}"]:not(.now)').first).to_be_visible()
