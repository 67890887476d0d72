"""Commands that store notices in the same transaction as the change that they report."""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import unquote, urlsplit

from django.conf import settings

from duels.delivery.nudging import TaskName, send_task_after_commit
from duels.models import Duel, OutboxStatus, Speech, Turn, Wizard
from duels.post import queries
from duels.post.kinds.base import NoticeKind
from duels.post.kinds.registry import kind_of
from duels.post.kinds.said import Said
from duels.post.models import DroppedFor, Notice
from duels.post.timing import READING_TIME
from duels.push import public as push
from duels.sealing import seals

# Chat messages that are written within this time are sent in one email.
SPEECH_DELAY = READING_TIME


def new_notice(
    kind: type[NoticeKind],
    wizard: Wizard,
    duel: Duel | None,
    now: datetime,
    *,
    turn: Turn | None = None,
    about: Wizard | None = None,
    occasion: str = "",
    details: Mapping[str, Any] | None = None,
) -> Notice:
    """Return a new, unsaved notice. For each occasion, a wizard gets only one notice of a kind.

    `details` contains data for this email as plain JSON, which is stored encrypted.
    """
    assert duel is not None or not kind.needs_duel, f"a notice {kind.code} belongs to a duel"
    if not occasion:
        assert duel is not None, "a notice without a duel needs an occasion"
        occasion = f"turn {turn.pk} {turn.batch}" if turn else f"duel {duel.pk}"
    notice = Notice(
        kind=kind.code,
        wizard=wizard,
        duel=duel,
        turn=turn,
        about=about,
        details=seals.encrypt(json.dumps(details)) if details else "",
        key=f"{kind.code} {occasion} for {wizard.pk}",
        created_at=now,
        due_at=now,
        is_unread=not kind.is_requested,
    )
    notice.path = unquote(urlsplit(kind().url(notice)).path)
    return notice


def queue_notices(notices: Iterable[Notice]) -> None:
    """Store these notices, and request their delivery once the change is committed.

    Skip notices about practice duels. Push notifications are stored along with the notices, but
    sent independently (`duels.push`).
    """
    written = [each for each in notices if each.duel is None or not each.duel.is_practice]
    # A duplicate key is not an error: the notice already exists, so leave it unchanged.
    written = Notice.objects.bulk_create(
        written, update_conflicts=True, unique_fields=["key"], update_fields=["key"]
    )
    if settings.POST_SENT_IMMEDIATELY and written:
        send_task_after_commit(TaskName.DELIVER_NOTICES, [each.pk for each in written])
    # Preferences for emails do not affect push notifications.
    push.queue_pushes(
        push.PushEvent(text, each.wizard_id, each.turn, each.key, each.created_at)
        for each in written
        if (text := kind_of(each).push_text) is not None and each.turn is not None
    )


def queue_speech(speech: Speech) -> None:
    """Queue an email about this chat message for its readers.

    A queued email will contain all messages written until it is sent. Call this function in the
    transaction that stores the message: it locks queued notices, so that they are not sent without
    the message. If an email is just being sent, another one is queued.
    """
    for reader in queries.readers_of_speech(speech):
        occasion, about = f"speech {speech.pk}", speech.wizard
        said = new_notice(Said, reader, speech.duel, speech.said_at, about=about, occasion=occasion)
        said.speech = speech
        queue_gathering_notice(said, duel=speech.duel_id)


def queue_gathering_notice(notice: Notice, **same: Any) -> bool:
    """Queue a notice that later messages will join. Return whether it was queued.

    If a notice with the values in `same` is still queued, it will report this message too.
    """
    waiting = Notice.objects.filter(kind=notice.kind, wizard=notice.wizard, **same)
    if waiting.filter(status=OutboxStatus.QUEUED).update(is_unread=True):
        return False
    notice.due_at = notice.created_at + SPEECH_DELAY
    queue_notices([notice])
    return True


def drop_queued(*, duel: Duel, wizard: Wizard | None = None) -> int:
    """Drop queued emails about this duel, to all wizards or only to this one. Return how many."""
    queued = Notice.objects.filter(duel=duel, status=OutboxStatus.QUEUED)
    if wizard is not None:
        queued = queued.filter(wizard=wizard)
    return queued.update(status=OutboxStatus.DROPPED, dropped_for=DroppedFor.OUTDATED)


def notify(
    kind: type[NoticeKind],
    readers: Iterable[Wizard],
    duel: Duel | None,
    now: datetime,
    *,
    turn: Turn | None = None,
    about: Wizard | None = None,
    occasion: str = "",
    details: Mapping[str, Any] | None = None,
) -> None:
    """Queue a notice of this kind for each of these wizards."""
    queue_notices(
        new_notice(
            kind, reader, duel, now, turn=turn, about=about, occasion=occasion, details=details
        )
        for reader in readers
    )
