"""Commands that send, accept, mute and report private messages."""

from datetime import UTC, datetime
from textwrap import indent

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from duels.commands.speaking import check_message_rate, checked_message
from duels.commands.suspensions import suspension_words
from duels.errors import Refused
from duels.messages import queries
from duels.messages.models import MAX_MESSAGE_LENGTH, Consent, Message, Participant, Thread
from duels.messages.queries import WizardRelation
from duels.models import OutboxStatus, User, Wizard, WizardKind
from duels.post.kinds.messaged import Messaged
from duels.post.public import DroppedFor, Notice, new_notice, queue_gathering_notice, queue_notices
from duels.push import public as push
from duels.referees.cases.reports import report_private_message
from duels.referees.models import Case
from duels.wording.moments import moment_words


@transaction.atomic
def send_message(*, author: Wizard, reader: Wizard, words: str, now: datetime) -> Message:
    """Send a message. The first message to a wizard is a request, which they can decline.

    By writing, the author also accepts messages from the reader.
    """
    # Lock both wizards, so that they get one thread and simultaneous messages cannot exceed limits.
    both = Wizard.objects.filter(pk__in=[author.pk, reader.pk]).order_by("pk")
    locked = {each.pk: each for each in both.select_for_update(no_key=True)}
    author, reader = locked[author.pk], locked[reader.pk]
    refused = messaging_refusal(author, reader, queries.wizard_relation(author, reader), now)
    if refused is not None:
        raise refused
    words = checked_message(words, MAX_MESSAGE_LENGTH)
    check_message_rate(Message.objects.filter(author=author), "sent_at", now)
    first, second = (locked[pk] for pk in sorted(locked))
    thread, _ = Thread.objects.get_or_create(first=first, second=second)
    message = Message.objects.create(thread=thread, author=author, words=words, sent_at=now)
    Thread.objects.filter(pk=thread.pk).update(newest=message.pk)
    Participant.objects.update_or_create(
        thread=thread, wizard=author, defaults={"consent": Consent.ACCEPTED}
    )
    receiver, _ = Participant.objects.get_or_create(thread=thread, wizard=reader)
    _notify(message, receiver)
    return message


def messaging_refusal(
    author: Wizard, reader: Wizard, between: WizardRelation, now: datetime
) -> Refused | None:
    """Return the reason why the author cannot write to the reader, or None if they can."""
    name = reader.name
    if author.pk == reader.pk or {author.kind, reader.kind} != {WizardKind.PLAYER}:
        return Refused("players_only", "Only players with an account can write to each other.")
    if not between.is_other_active:
        return Refused("account_closed", f"{name} has left.")
    if author.is_suspended_at(now):
        return Refused("suspended", suspension_words(author))
    if author.speech_locked_at is not None:
        return Refused("speech_locked", "A referee has locked your messages.")
    if between.blocks:
        return Refused("blocked", f"You have blocked {name}. To write to them, unblock them first.")
    if between.is_blocked:
        return Refused("blocked", f"{name} does not receive messages from you.")
    if not (between.has_met or between.consent_of_other):
        text = f"You can write to {name} once you have shared a duel or a challenge."
        return Refused("not_met", text)
    if between.consent_of_other in (Consent.PENDING, Consent.DECLINED):
        return Refused("not_accepted", f"{name} has not accepted your first message yet.")
    return None


def _notify(message: Message, receiver: Participant) -> None:
    """Show a notice to the reader. If they have accepted the author, also email and notify them."""
    author, reader = message.author, receiver.wizard
    if receiver.consent == Consent.DECLINED or not queries.wants_news(receiver, author):
        return
    notice = new_notice(
        Messaged,
        reader,
        None,
        message.sent_at,
        about=author,
        occasion=f"message {message.pk}",
        details={"message": message.pk},
    )
    if receiver.consent == Consent.PENDING:
        notice.status, notice.dropped_for = OutboxStatus.DROPPED, DroppedFor.NOT_ACCEPTED
        queue_notices([notice])
    elif queue_gathering_notice(notice, about=author):
        text = push.PushText(push.PushKind.MESSAGE, f"Message from {author.name}")
        push.queue_pushes([push.PushEvent(text, reader.pk, None, notice.key, message.sent_at)])


def set_consent(*, wizard: Wizard, other: Wizard, consent: Consent) -> None:
    """Accept or decline messages from another wizard, who has already sent one."""
    _participation_in_thread(wizard, other).update(consent=consent)


def set_muted(*, wizard: Wizard, other: Wizard, is_muted: bool) -> None:
    """Mute or unmute notices of new messages in the thread with another wizard."""
    _participation_in_thread(wizard, other).update(is_muted=is_muted)


def mark_thread_read(*, part: Participant) -> None:
    """Mark all messages in a wizard's thread as read."""
    Participant.objects.filter(pk=part.pk).update(read_up_to=part.thread.newest)


def _participation_in_thread(wizard: Wizard, other: Wizard) -> QuerySet[Participant]:
    part = queries.participant(wizard, other)
    if part is None:
        raise Refused("no_such_thread", f"There are no messages between you and {other.name}.")
    return Participant.objects.filter(pk=part.pk)


@transaction.atomic
def report_message(*, message_id: int, wizard: Wizard, words: str, now: datetime) -> Case:
    """Report a received message. Referees see only this message and the messages around it."""
    message = queries.message_to(wizard, message_id)
    if message is None:
        raise Refused("no_such_message", "There is no such message.")
    case = report_private_message(
        message_id=message.pk,
        about=message.author,
        quoted=quoted_with_context(message),
        wizard=wizard,
        words=words,
        now=now,
    )
    Message.objects.filter(pk=message.pk).update(case=case)
    return case


def quoted_with_context(message: Message) -> str:
    """Return a message and the messages around it as text, with authors and times.

    Each line of a message begins with ">", so that a message cannot imitate other messages.
    """
    with timezone.override(UTC):
        return "\n\n".join(
            f"{each.author.name}, {moment_words(each.sent_at)}"
            f"{', reported' if each.pk == message.pk else ''}:\n"
            f"{indent('(removed by a referee)' if each.removed_at else each.words, '> ', bool)}"
            for each in queries.messages_around(message)
        )


def delete_messages(*, user: User, now: datetime) -> None:
    """Delete the threads of a user who closes their account, and notices of their messages."""
    Thread.objects.filter(Q(first__user=user) | Q(second__user=user)).delete()
    Notice.objects.filter(kind=Messaged.code, about__user=user).delete()
