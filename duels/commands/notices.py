"""The mail outbox: notices are written with the change they tell of, and delivered after it."""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from duels import emails, tasks
from duels.commands.nudging import nudge_after_commit
from duels.errors import described
from duels.models import Duel, Notice, NoticeKind, NoticeStatus, Turn, Wizard

logger = logging.getLogger(__name__)

MOST_ATTEMPTS = 8
FIRST_PAUSE = timedelta(minutes=2)  # doubled after every failure
STUCK_AFTER = timedelta(minutes=10)  # far longer than any mail server may take


def notice(
    kind: NoticeKind,
    wizard: Wizard,
    duel: Duel,
    now: datetime,
    *,
    turn: Turn | None = None,
    about: Wizard | None = None,
    occasion: str = "",
) -> Notice:
    """A notice, not yet written. The same occasion gives the same key, and a key is used once."""
    occasion = occasion or (f"turn {turn.pk} {turn.batch}" if turn else f"duel {duel.pk}")
    return Notice(
        kind=kind,
        wizard=wizard,
        duel=duel,
        turn=turn,
        about=about,
        key=f"{kind.value} {occasion} for {wizard.pk}",
        created_at=now,
        due_at=now,
    )


def queue(notices: Iterable[Notice]) -> None:
    """Write these notices and, once the change is committed, nudge their delivery.

    Practice is no correspondence: of a practice duel nobody is written to.
    """
    wanted = [each for each in notices if not each.duel.is_practice]
    for written in Notice.objects.bulk_create(wanted):
        nudge_after_commit(tasks.deliver_notice, written.pk)


def deliver_notice(*, notice_id: int, now: datetime | None = None) -> bool:
    """Send this mail, unless somebody has or does. Answers whether it was sent now."""
    now = now or timezone.now()
    claim = Notice.objects.filter(pk=notice_id, status=NoticeStatus.QUEUED)
    if claim.update(status=NoticeStatus.SENDING, claimed_at=now) != 1:
        return False
    claimed = Notice.objects.select_related("wizard", "duel", "turn", "about").get(pk=notice_id)
    try:
        message = emails.message(claimed)
        if message is None:
            _mark(claimed, NoticeStatus.DROPPED)
            return False
        message.send()
    except Exception as error:
        # Whatever went wrong, the notice must not stay claimed; the text of a mail is not logged.
        _put_off(claimed, described(error), now)
        return False
    _mark(claimed, NoticeStatus.SENT, sent_at=now, last_error="")
    return True


@transaction.atomic
def resend_notice(*, notice_id: int, now: datetime) -> bool:
    """Queue a mail again that was sent, given up or dropped. Answers whether it was."""
    again = Notice.objects.filter(pk=notice_id).exclude(
        status__in=[NoticeStatus.QUEUED, NoticeStatus.SENDING]
    )
    if not again.update(status=NoticeStatus.QUEUED, due_at=now, attempts=0):
        return False
    nudge_after_commit(tasks.deliver_notice, notice_id)
    return True


def requeue_stuck(*, now: datetime) -> int:
    """Queue what was claimed long ago by a worker that must have died."""
    stuck = Notice.objects.filter(status=NoticeStatus.SENDING, claimed_at__lte=now - STUCK_AFTER)
    return stuck.update(status=NoticeStatus.QUEUED, due_at=now)


def deliver_due(*, now: datetime) -> int:
    """Send every mail that is due. Answers how many were sent."""
    due = Notice.objects.filter(status=NoticeStatus.QUEUED, due_at__lte=now)
    waiting = list(due.order_by("due_at").values_list("pk", flat=True))
    return sum(deliver_notice(notice_id=pk, now=now) for pk in waiting)


def _put_off(claimed: Notice, error: str, now: datetime) -> None:
    attempts = claimed.attempts + 1
    logger.error(
        "Notice %s (%s, duel %s) was not sent, attempt %s: %s",
        *(claimed.pk, claimed.kind, claimed.duel_id, attempts, error),
    )
    status = NoticeStatus.FAILED if attempts >= MOST_ATTEMPTS else NoticeStatus.QUEUED
    pause = FIRST_PAUSE * 2**claimed.attempts
    _mark(claimed, status, attempts=attempts, last_error=error, due_at=now + pause)


def _mark(claimed: Notice, status: NoticeStatus, **changes: object) -> None:
    Notice.objects.filter(pk=claimed.pk, status=NoticeStatus.SENDING).update(
        status=status, **changes
    )
