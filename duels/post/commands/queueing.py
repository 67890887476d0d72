"""Notices are written in the transaction of the change they tell of."""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from django.conf import settings

from duels import seals
from duels.models import Duel, OutboxStatus, Speech, Turn, Wizard
from duels.nudging import TaskName, nudge_each_after_commit
from duels.post import queries
from duels.post.models import DroppedFor, Notice, NoticeKind
from duels.post.timing import READING_TIME
from duels.push import public as push

# Words that are said within this time come in one mail.
GATHERED_FOR = READING_TIME
# What devices tell of as well, if a wizard has any: as which kind.
PUSHED: Final[Mapping[NoticeKind, push.PushKind]] = {
    NoticeKind.STARTED: push.PushKind.TURN,
    NoticeKind.YOUR_TURN: push.PushKind.TURN,
    NoticeKind.QUESTION: push.PushKind.TURN,
    NoticeKind.REMINDER: push.PushKind.REMINDER,
}


def notice(
    kind: NoticeKind,
    wizard: Wizard,
    duel: Duel | None,
    now: datetime,
    *,
    turn: Turn | None = None,
    about: Wizard | None = None,
    occasion: str = "",
    details: Mapping[str, Any] | None = None,
) -> Notice:
    """A notice, not yet written. The same occasion gives the same key, and a key is used once.

    `details`: what only this mail says, as plain JSON; it lies encrypted until it is sent.
    """
    if not occasion:
        assert duel is not None, "what is of no duel says which occasion it is"
        occasion = f"turn {turn.pk} {turn.batch}" if turn else f"duel {duel.pk}"
    return Notice(
        kind=kind,
        wizard=wizard,
        duel=duel,
        turn=turn,
        about=about,
        details=seals.encrypt(json.dumps(details)) if details else "",
        key=f"{kind.value} {occasion} for {wizard.pk}",
        created_at=now,
        due_at=now,
    )


def queue(notices: Iterable[Notice]) -> None:
    """Write these notices and, once the change is committed, nudge their delivery.

    Practice is no correspondence: of a practice duel nobody is written to. What devices tell of
    is written with the notices, and sent by itself (`duels.push`).
    """
    written = [each for each in notices if each.duel is None or not each.duel.is_practice]
    # A key that is used already is no error: it was told, and its row stays as it is.
    written = Notice.objects.bulk_create(
        written, update_conflicts=True, unique_fields=["key"], update_fields=["key"]
    )
    if settings.POST_NUDGED:
        nudge_each_after_commit(TaskName.DELIVER_NOTICE, [each.pk for each in written])
    # Whatever is chosen of mails: the two are sent without regard to each other.
    push.queue(
        push.Told(PUSHED[kind], each.wizard_id, each.turn, each.key, each.created_at)
        for each in written
        if (kind := NoticeKind(each.kind)) in PUSHED and each.turn is not None
    )


def queue_words(speech: Speech) -> None:
    """Whoever wants words by mail gets these, in one mail with all that is said until it is sent.

    In the transaction in which they are said: a notice that waits is locked, so that it is not sent
    without them; one that is being sent just now is followed by another.
    """
    for reader in queries.readers_of_words(speech):
        waiting = Notice.objects.select_for_update().filter(
            kind=NoticeKind.SAID, wizard=reader, duel=speech.duel_id, status=OutboxStatus.QUEUED
        )
        if waiting.first() is not None:
            continue
        occasion = f"speech {speech.pk}"
        said = notice(
            *(NoticeKind.SAID, reader, speech.duel, speech.said_at),
            about=speech.wizard,
            occasion=occasion,
        )
        said.speech, said.due_at = speech, speech.said_at + GATHERED_FOR
        queue([said])


def drop_queued(*, duel: Duel, wizard: Wizard | None = None) -> int:
    """Give up every mail of this duel, or those of it to one wizard, that has not been sent.
    Answers how many there were."""
    queued = Notice.objects.filter(duel=duel, status=OutboxStatus.QUEUED)
    if wizard is not None:
        queued = queued.filter(wizard=wizard)
    return queued.update(status=OutboxStatus.DROPPED, dropped_for=DroppedFor.OUTDATED)
