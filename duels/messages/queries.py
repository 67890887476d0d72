"""Queries for threads of messages, and for the relation between two wizards."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from duels.messages.models import Consent, Message, Participant, Thread
from duels.models import Block, Mute, Seat, User, Wizard
from duels.queries.stories import silenced_wizards

THREADS_PER_PAGE: Final = 50
MESSAGES_PER_PAGE: Final = 50
MESSAGES_AROUND_REPORTED: Final = 5  # number of messages before and after a reported message


@dataclass(frozen=True)
class WizardRelation:
    """Facts about two wizards that decide whether one of them can write to the other."""

    blocks: bool
    mutes: bool
    is_blocked: bool
    is_other_active: bool  # has an account that is not being closed
    has_met: bool  # has shared a duel or a challenge
    consent_of_other: str  # a `Consent`, or "" without a thread


def wizard_relation(wizard: Wizard, other: Wizard) -> WizardRelation:
    """Return the relation of a wizard to another, with one query."""
    seats = Seat.objects.filter(wizard=wizard, duel__lesson="")
    consent = _participants(other, wizard).values("consent")
    found = Wizard.objects.filter(pk=wizard.pk).values_list(
        Exists(Block.objects.filter(wizard=wizard, blocked=other)),
        Exists(Mute.objects.filter(wizard=wizard, muted=other)),
        Exists(Block.objects.filter(wizard=other, blocked=wizard)),
        Exists(User.objects.filter(wizard=other, is_active=True)),
        Exists(Seat.objects.filter(wizard=other, duel__in=seats.values("duel"))),
        Coalesce(Subquery(consent[:1]), Value("")),
    )
    return WizardRelation(*found.get())


def participant(wizard: Wizard, other: Wizard) -> Participant | None:
    """Return the wizard as a participant in the thread with another wizard, or None."""
    return _participants(wizard, other).select_related("thread").first()


def _participants(wizard: Wizard, other: Wizard) -> QuerySet[Participant]:
    both = Q(thread__first=wizard, thread__second=other)
    both |= Q(thread__first=other, thread__second=wizard)
    return Participant.objects.filter(both, wizard=wizard)


def threads_of(wizard: Wizard, before: int | None = None) -> Sequence[Participant]:
    """Return the wizard as a participant in each thread, newest first, without declined threads.

    Each row has the other wizard's name and slug, the newest message (None if it was removed), and
    the number of unread messages. `is_accepted` is true if the other wizard has accepted messages.
    `before` is the newest message of the last thread on the previous page. The result has one more
    row than a page.
    """
    found = Participant.objects.filter(wizard=wizard).exclude(consent=Consent.DECLINED)
    if before is not None:
        found = found.filter(thread__newest__lt=before)
    received = Message.objects.filter(thread=OuterRef("thread"), pk__gt=OuterRef("read_up_to"))
    received = received.exclude(author=wizard).order_by()
    others = Participant.objects.filter(thread=OuterRef("thread")).exclude(wizard=wizard)
    newest = Message.objects.filter(pk=OuterRef("thread__newest"))
    found = found.annotate(
        other_name=Subquery(others.values("wizard__name")),
        other_slug=Subquery(others.values("wizard__slug")),
        is_accepted=Exists(others.filter(consent=Consent.ACCEPTED)),
        words=Subquery(newest.filter(removed_at=None).values("words")),
        sent_at=Subquery(newest.values("sent_at")),
        unread=Coalesce(
            Subquery(received.values("thread").annotate(number=Count("pk")).values("number")), 0
        ),
    )
    ordered = found.select_related("thread").order_by("-thread__newest")
    return list(ordered[: THREADS_PER_PAGE + 1])


def messages_of(thread: Thread, before: int | None = None) -> list[Message]:
    """Return the newest messages in a thread, or those before this id, newest first.

    The result has one more message than a page.
    """
    found = Message.objects.filter(thread=thread).select_related("author").order_by("-pk")
    if before is not None:
        found = found.filter(pk__lt=before)
    return list(found[: MESSAGES_PER_PAGE + 1])


def message_to(reader: Wizard, message_id: int) -> Message | None:
    """Return a message that this wizard has received and can read, or None."""
    received = Message.objects.filter(thread__participants__wizard=reader, removed_at=None)
    received = received.exclude(author=reader)
    return received.select_related("author", "thread").filter(pk=message_id).first()


def messages_around(message: Message) -> list[Message]:
    """Return the message and up to five messages before and after it, in order."""
    thread = Message.objects.filter(thread=message.thread_id).select_related("author")
    before = thread.filter(pk__lt=message.pk).order_by("-pk")[:MESSAGES_AROUND_REPORTED]
    after = thread.filter(pk__gt=message.pk).order_by("pk")[:MESSAGES_AROUND_REPORTED]
    return [*reversed(before), message, *after]


def messages_to_send(
    reader: Wizard, author: Wizard, first: int, *, only_unread: bool = False
) -> list[Message]:
    """Return an author's messages with at least this id, or [] if the reader does not want them."""
    found = participant(reader, author)
    if found is None or found.consent != Consent.ACCEPTED or not wants_news(found, author):
        return []
    start = max(first, found.read_up_to + 1) if only_unread else first
    sent = Message.objects.filter(
        thread=found.thread, author=author, pk__gte=start, removed_at=None
    )
    return list(sent.order_by("pk"))


def wants_news(reader: Participant, author: Wizard) -> bool:
    """Return True unless the reader has muted the thread, or muted or blocked the author."""
    return not reader.is_muted and author.pk not in silenced_wizards(reader.wizard)


def exported_messages(wizard: Wizard) -> list[dict[str, Any]]:
    """Return all the wizard's threads, with the messages of both wizards.

    Removed messages have their text only if the wizard wrote them.
    """
    mine = Participant.objects.filter(wizard=wizard).select_related("thread__first")
    mine = mine.select_related("thread__second").order_by("thread")
    rows = Message.objects.order_by("pk").select_related("author")
    return [
        {
            "with": _other_wizard(each).name,
            "consent": each.consent,
            "muted": each.is_muted,
            "messages": [
                _exported_message(row, wizard) for row in rows.filter(thread=each.thread_id)
            ],
        }
        for each in mine
    ]


def _exported_message(message: Message, wizard: Wizard) -> dict[str, Any]:
    is_hidden = message.removed_at is not None and message.author_id != wizard.pk
    return {
        "author__name": message.author.name,
        "words": "" if is_hidden else message.words,
        "sent_at": message.sent_at,
        "removed_at": message.removed_at,
    }


def _other_wizard(part: Participant) -> Wizard:
    thread = part.thread
    return thread.second if thread.first_id == part.wizard_id else thread.first
