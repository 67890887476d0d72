"""Mails that a wizard writes back, and what the site answers."""

from datetime import datetime

from django.core import mail
from django.core.mail import EmailMultiAlternatives

from duels.models import Duel, Wizard
from duels.post.public import reply_address
from duels.replies.public import Outcome, receive
from tests.cast import LATER, NOW, deliver, open_turn

SITE = "spellcaster@localhost"


def written(
    text: str, to: str, *, by: str = "ada@example.org", headers: str = "", number: int = 1
) -> bytes:
    """A mail as a program writes it. Mails of another number are other mails."""
    lines = (
        f"From: {by}",
        f"To: Spellcaster <{to}>",
        "Subject: Re: Your turn",
        f"Message-ID: <{number}@example.org>",
        *headers.splitlines(),
        "Content-Type: text/plain; charset=utf-8",
        "",
        text,
    )
    return "\n".join(lines).encode()


def reply(
    duel: Duel,
    wizard: Wizard,
    text: str,
    *,
    by: str | None = None,
    headers: str = "",
    number: int = 1,
    now: datetime = NOW,
) -> Outcome:
    """The wizard answers the mail of the open turn."""
    user = wizard.user
    assert user
    to = reply_address(wizard.pk, open_turn(duel).pk)
    raw = written(text, to, by=by or user.email, headers=headers, number=number)
    return receive(raw=raw, now=now)


def mails(wizard: Wizard) -> list[EmailMultiAlternatives]:
    """What this wizard gets now, the oldest first."""
    user = wizard.user
    assert user
    mail.outbox.clear()
    deliver(now=LATER)
    return [
        message
        for message in mail.outbox
        if isinstance(message, EmailMultiAlternatives) and message.to == [user.email]
    ]


def answers_to(wizard: Wizard) -> list[EmailMultiAlternatives]:
    """The answers to mails that this wizard gets now."""
    return [
        each
        for each in mails(wizard)
        if each.subject.startswith(("Orders sealed", "Answer sealed", "Not "))
    ]


def answer_to(wizard: Wizard) -> str:
    """The text of the one answer that this wizard gets now, from its subject on."""
    (message,) = answers_to(wizard)
    return f"{message.subject}\n{message.body}"
