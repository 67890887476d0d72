"""Commands for chat in duels, and for muting other wizards.

Players cannot edit or delete their messages. Messages sent with orders are not chat, but part of
the orders.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from duels.commands.locking import lock_duel, seat_of
from duels.commands.suspensions import check_may_act, check_may_speak
from duels.errors import Refused
from duels.models import (
    HUMAN_KINDS,
    MAX_SPEECH_LENGTH,
    Duel,
    DuelStatus,
    Mute,
    Seat,
    Speech,
    Turn,
    Wizard,
)
from duels.post.public import queue_speech
from duels.queries.speeches import NO_READERS_TEXT
from duels.typed_text import clean_text

# Rate limits for each wizard, across all duels: the period, and the maximum number of messages.
MESSAGE_RATE_LIMITS = ((timedelta(minutes=1), 10), (timedelta(hours=1), 60))
# If a message repeats the previous one within this time, it is treated as an accidental double
# click.
DUPLICATE_WINDOW = timedelta(seconds=10)


@transaction.atomic
def send_message(*, duel_id: int, wizard: Wizard, words: str, now: datetime) -> Speech:
    """Post the wizard's message, which everyone who can see the duel can read."""
    duel = lock_duel(duel_id)
    seat_of(duel, wizard)
    if duel.status in (DuelStatus.GATHERING, DuelStatus.LAPSED):
        raise Refused("not_begun", "This duel has not begun.")
    if not can_speak(duel, wizard):
        raise Refused("nobody_listens", NO_READERS_TEXT)
    check_may_act(wizard, now)
    check_may_speak(duel, wizard, field="words")
    words = checked_message(words, MAX_SPEECH_LENGTH)
    again = Speech.objects.filter(duel=duel, wizard=wizard).order_by("-pk").first()
    if again is not None and again.words == words and now - again.said_at < DUPLICATE_WINDOW:
        return again
    check_message_rate(Speech.objects.filter(wizard=wizard), "said_at", now)
    last = Turn.objects.filter(duel=duel).order_by("-ordinal").values_list("ordinal", flat=True)
    said = Speech.objects.create(
        duel=duel, wizard=wizard, ordinal=last.first() or 0, words=words, said_at=now
    )
    queue_speech(said)
    return said


def can_speak(duel: Duel, wizard: Wizard) -> bool:
    """Return whether the wizard is in a duel with another player or guest."""
    seated = Seat.objects.filter(duel=duel, wizard__kind__in=HUMAN_KINDS)
    people = set(seated.order_by().values_list("wizard_id", flat=True))
    return wizard.pk in people and len(people) > 1


@transaction.atomic
def mute(*, wizard: Wizard, other: Wizard, now: datetime) -> Mute:
    """Hide the other wizard's messages from this wizard in all duels. Nobody else can see this."""
    if wizard.pk == other.pk:
        raise Refused("own_mute", "You cannot mute yourself.")
    made, _ = Mute.objects.get_or_create(wizard=wizard, muted=other, defaults={"created_at": now})
    return made


@transaction.atomic
def unmute(*, wizard: Wizard, other: Wizard) -> None:
    """Show the other wizard's messages again, including those sent while they were muted."""
    Mute.objects.filter(wizard=wizard, muted=other).delete()


def checked_message(words: str, longest: int) -> str:
    """Return a message as it will be stored, or raise `Refused` if it is empty or too long."""
    words = clean_text(words)
    if not words:
        raise Refused("no_words", "Write a message first.", field="words")
    if len(words) > longest:
        text = f"This message has {len(words)} characters; the maximum is {longest}. Shorten it."
        raise Refused("too_long", text, field="words")
    return words


def check_message_rate(sent: QuerySet[Any], moment: str, now: datetime) -> None:
    """Raise `Refused` for too many recent messages. `moment` is the field with their time."""
    for within, most in MESSAGE_RATE_LIMITS:
        if sent.filter(**{f"{moment}__gt": now - within}).count() >= most:
            text = (
                "You have sent too many messages in a short time. Wait a little, then send it "
                "again."
            )
            raise Refused("too_many_words", text, field="words")
