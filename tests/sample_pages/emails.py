"""An email of every kind, for screenshots and accessibility tests.

Emails that no state in `tests.states` causes are caused here, by commands. This module runs in the
environment of a site that answers emails (`REPLY_DOMAIN`).
"""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from django.core.mail import EmailMultiAlternatives
from django.utils import timezone

from duels.clocks.budget import Budget
from duels.commands import (
    challenges,
    deadlines,
    endings,
    resolution,
    sealing,
    speaking,
    time_keeping,
    vacations,
)
from duels.feeds.public import follow_wizard
from duels.messages.commands import send_message
from duels.models import Duel, Seat, Wizard
from duels.post import emails
from duels.post.commands.choosing import set_mail_choice
from duels.post.kinds.registry import all_kinds
from duels.post.models import Notice
from tests.cast import begin, challenge, hands, open_turn, play
from tests.duels.replies.writing import reply
from tests.states import State

A_DAY = timedelta(days=1)
REPLY_TEXTS = {
    "sealed": "left P\nright W",
    "could not be read": "left P\nright Q\nand mind the goblin",
    "asked back": "left P\nright P",
}


def all_emails(states: Mapping[str, State]) -> Iterator[tuple[str, EmailMultiAlternatives]]:
    """Yield the names and messages of at least one email of every kind."""
    now = timezone.now()
    ada, bram, cleo, dorn = (
        Wizard.objects.get(name=name) for name in ("Ada", "Bram", "Cleo", "Dorn")
    )
    _send_challenge_emails(ada, bram, cleo, dorn, now)
    _send_clock_emails(ada, bram, now)
    _send_vacation_emails(ada, cleo, now)
    _send_message_emails(ada, bram, now)
    _send_followed_duel_emails(ada, bram, dorn, now)
    for code, kind in all_kinds().items():
        if code != "answered":
            yield kind.label, _newest(code)
    yield from _reply_answers(ada, bram)
    for name in ("every_effect", "eight_wizards", "hasted", "blind"):
        yield f"your turn {name.replace('_', ' ')}", _turn_mail(states[name])
    yield "daily", _daily_email(ada, now)


def _newest(kind: str) -> EmailMultiAlternatives:
    """Return the newest email of this kind that is not outdated."""
    notices = Notice.objects.filter(kind=kind, wizard__user__isnull=False).order_by("-pk")
    found = (emails.email_for([notice]) for notice in notices)
    return next(message for message in found if message is not None)


def _send_challenge_emails(
    ada: Wizard, bram: Wizard, cleo: Wizard, dorn: Wizard, now: datetime
) -> None:
    """Create challenges that are still waiting, declined or expired, and one with a message."""
    waiting = challenge(ada, size=3, now=now)
    challenges.accept(duel_id=waiting.pk, wizard=cleo, now=now)
    declined = challenge(bram, dorn, now=now)
    challenges.decline(duel_id=declined.pk, wizard=dorn, now=now)
    old = challenge(bram, ada, now=now - 15 * A_DAY)
    Duel.objects.filter(pk=old.pk).update(expires_at=now)
    challenges.expire_challenges(now=now, budget=Budget(60))
    challenge(bram, ada, ruleset="spellcast-1", words="Once more, and without goblins.", now=now)


def _send_clock_emails(ada: Wizard, bram: Wizard, now: datetime) -> None:
    """Cause a reminder, an extension, default orders, draw offers, a pause and a gift of time."""
    duel = begin(ada, bram, pace=str(3 * 24 * 3600), excuses=1)
    endings.offer_draw(duel_id=duel.pk, wizard=ada, ordinal=None, now=now)
    endings.decline_draw(duel_id=duel.pk, wizard=bram, ordinal=None, now=now)
    endings.offer_draw(duel_id=duel.pk, wizard=bram, ordinal=None, now=now)
    for due_in in (-A_DAY, -A_DAY, A_DAY):  # extended, then played by default, then nearly due
        late = {"due_at": now + due_in, "remind_at": now}
        Seat.objects.filter(duel=duel, awaited=True).update(**late)
        deadlines.process_deadlines(duel_id=duel.pk, now=now)
        resolution.resolve_turn(turn_id=open_turn(duel).pk, now=now)
    waited_for = {"due_at": now + timedelta(hours=14, minutes=24)}
    Seat.objects.filter(duel=duel, awaited=True).update(**waited_for)
    turn = open_turn(duel)
    sealing.save_draft(turn_id=turn.pk, wizard=ada, fields=hands("W", "F"), now=now)
    time_keeping.give_time(
        duel_id=duel.pk, wizard=bram, opponent_code="w0", seen_stamp=None, now=now
    )
    time_keeping.request_pause(duel_id=duel.pk, wizard=bram, is_paused=None, now=now)
    other = begin(ada, bram, pace=str(3 * 24 * 3600))
    for minute in range(2):
        for wizard in (ada, bram):
            at = now + timedelta(minutes=minute)
            time_keeping.request_pause(duel_id=other.pk, wizard=wizard, is_paused=None, now=at)


def _send_vacation_emails(ada: Wizard, cleo: Wizard, now: datetime) -> None:
    """Start a vacation and end it early."""
    begin(ada, cleo, pace=str(3 * 24 * 3600))
    vacations.start_vacation(wizard=cleo, until=now + 9 * A_DAY, now=now - 2 * A_DAY)
    vacations.end_vacation(wizard=cleo, now=now)


def _send_message_emails(ada: Wizard, bram: Wizard, now: datetime) -> None:
    set_mail_choice(wizard=ada, when="every", hour=8, though_here=False, words=True, now=now)
    duel = begin(ada, bram)
    for words in ("You fight well.", "I greet every goblin.\n\nOne never knows. " * 8):
        speaking.send_message(duel_id=duel.pk, wizard=bram, words=words, now=now)
    send_message(author=ada, reader=bram, words="Another duel next week?", now=now)
    send_message(author=bram, reader=ada, words="With pleasure. Your choice of rules.", now=now)


def _send_followed_duel_emails(ada: Wizard, bram: Wizard, dorn: Wizard, now: datetime) -> None:
    """Let Dorn follow Ada, and begin a duel of hers."""
    set_mail_choice(wizard=dorn, when="every", hour=8, though_here=False, followed=True, now=now)
    follow_wizard(wizard=dorn, other=ada, now=now)
    begin(ada, bram)


def _reply_answers(ada: Wizard, bram: Wizard) -> Iterator[tuple[str, EmailMultiAlternatives]]:
    """Yield the site's answers to orders by email."""
    for name, text in REPLY_TEXTS.items():
        duel = begin(ada, bram)
        play(duel, {ada: hands("S", "W"), bram: hands("W", "D")})
        reply(duel, ada, text, now=timezone.now())
        yield f"a reply to your email {name}", _newest("answered")


def _turn_mail(state: State) -> EmailMultiAlternatives:
    """Return the email to the state's viewer about the open turn."""
    assert state.viewer is not None
    now = timezone.now()
    notice = Notice(
        **{"kind": "your_turn", "wizard": state.viewer, "duel": state.duel},
        **{"turn": open_turn(state.duel), "key": "shown", "created_at": now, "pk": 0},
    )
    message = emails.email_for([notice])
    assert message is not None
    return message


def _daily_email(ada: Wizard, now: datetime) -> EmailMultiAlternatives:
    kinds = ("your_turn", "challenged", "said", "draw_offered")
    newest = Notice.objects.filter(wizard=ada).order_by("-pk")
    letter = [newest.filter(kind=kind)[0] for kind in kinds]
    letter[0].daily_at = now
    message = emails.email_for(letter)
    assert message is not None
    return message
