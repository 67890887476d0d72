"""Helpers that write replies as a wizard and return the site's answers."""

from datetime import datetime

from django.core import mail
from django.core.mail import EmailMultiAlternatives

from duels.models import Duel, Orders, Wizard
from duels.post.public import make_reply_address
from duels.queries.rows import questions_for
from duels.replies.public import Outcome, receive_email
from duels.sealing.seals import decrypt_seal
from tests.cast import LATER, NOW, deliver, open_turn, seat

SITE = "spellcaster@localhost"


def written(
    text: str, to: str, *, by: str = "ada@example.org", headers: str = "", number: int = 1
) -> bytes:
    """Return an email like those that email programs send. `number` determines its Message-ID."""
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
    """Send the wizard's reply to the email about the open turn."""
    user = wizard.user
    assert user
    turn = open_turn(duel)
    batch = turn.batch if questions_for(turn, seat(duel, wizard)) else 0
    to = make_reply_address(wizard.pk, turn.pk, batch)
    raw = written(text, to, by=by or user.email, headers=headers, number=number)
    return receive_email(raw=raw, now=now)


def mails(wizard: Wizard) -> list[EmailMultiAlternatives]:
    """Run a round of deliveries and return the emails to this wizard, the oldest first."""
    user = wizard.user
    assert user
    mail.outbox.clear()
    deliver(now=LATER)
    return [
        message
        for message in mail.outbox
        if isinstance(message, EmailMultiAlternatives) and message.to == [user.email]
    ]


def page_html(message: EmailMultiAlternatives) -> str:
    ((content, _),) = message.alternatives
    return str(content)


def answers_to(wizard: Wizard) -> list[EmailMultiAlternatives]:
    """Run a round of deliveries and return the answers to this wizard's replies."""
    return [
        each
        for each in mails(wizard)
        if each.subject.startswith(("Orders sealed", "Answer sealed", "Not "))
    ]


def answer_to(wizard: Wizard) -> str:
    """Return the subject and text of the only answer to this wizard."""
    (message,) = answers_to(wizard)
    return f"{message.subject}\n{message.body}"


def address_of(duel: Duel, wizard: Wizard) -> str:
    return make_reply_address(wizard.pk, open_turn(duel).pk)


def sealed_fields(duel: Duel, wizard: Wizard) -> dict[str, str]:
    """Return the orders that the wizard has sealed for the open turn."""
    turn = open_turn(duel)
    row = Orders.objects.get(turn=turn, seat__wizard=wizard, superseded=False)
    return decrypt_seal(row.body).orders


def last_answer_text(wizard: Wizard) -> str:
    """Return the last answer to this wizard, without line breaks."""
    return " ".join(str(answers_to(wizard)[-1].body).split())


def orders_in(message: EmailMultiAlternatives) -> str:
    """Return the orders that the email shows, which are played if the wizard does not seal any."""
    return str(message.body).partition("\n\nTo give orders")[0].rpartition("\n\n")[2]
