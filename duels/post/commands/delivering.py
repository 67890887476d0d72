"""Commands that deliver emails through `duels.delivery.outbox`, with its guarantees.

If a second copy is sent because a worker has died, it has the same Message-ID.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from datetime import datetime, timedelta

from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import Q, QuerySet

from duels.clocks.budget import Budget
from duels.delivery import outbox
from duels.delivery.nudging import TaskName, send_task_after_commit
from duels.delivery.outbox import RoundCounts, Send, Skip, Wait
from duels.errors import Refused, error_summary
from duels.loaded.database_clock import site_now
from duels.models import FINISHED_STATUSES, REFUSED_ERROR_PREFIX, OutboxStatus, Wizard
from duels.post import emails, limits, loading, mail_server, queries, timing
from duels.post.commands.bouncing import UNCLEAR_BOUNCES_COUNT_FOR, silence_address
from duels.post.models import DroppedFor, Notice, SilencedAddress, UnclearBounce
from duels.post.outgoing import OutgoingConnection

logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 13  # the last attempt is made after about 26 hours
ONE_DAY = timedelta(days=1)
RESEND_WINDOW = timedelta(hours=1)


def deliver_notice(
    *, notice_id: int, now: datetime | None = None, outgoing: OutgoingConnection | None = None
) -> bool:
    """Send this email if it is due, unclaimed and wanted. Return whether it was sent now.

    `duels.post.timing` decides whether it is wanted. If `outgoing` is None, open a connection for
    this email only.
    """
    now = now or site_now()
    if silent_until := mail_server.silent_until(now):
        _due_notice(notice_id, now).update(due_at=silent_until)
        return False
    letter = _claim_with_daily_email(notice_id, now)
    if not letter:
        return False
    try:
        letter = _notices_to_send(letter, now)
        message = emails.email_for(letter) if letter else None
        if message is None:
            outbox.set_status(letter, OutboxStatus.DROPPED, dropped_for=DroppedFor.OUTDATED)
            return False
        _send_email(message, now, outgoing)
    except Exception as error:
        # Catch every error, so that no notice stays claimed. Do not log the email's text.
        _handle_failure(letter, error, now)
        return False
    outbox.mark_sent(letter, now)
    return True


def deliver_notices(*, notice_ids: Iterable[int]) -> None:
    """Send these emails over one connection, in the same way as `deliver_notice`.

    If this takes too long, the next round sends the rest.
    """
    budget = Budget(outbox.MAX_ROUND_SECONDS)
    with closing(OutgoingConnection()) as outgoing:
        for notice_id in notice_ids:
            if not budget.is_spent:
                deliver_notice(notice_id=notice_id, outgoing=outgoing)


@transaction.atomic
def resend_notice(*, notice_id: int, now: datetime) -> bool:
    """Queue a sent, abandoned or dropped email again. Return whether it was queued."""
    again = Notice.objects.filter(pk=notice_id, status__in=FINISHED_STATUSES)
    is_queued = again.update(
        status=OutboxStatus.QUEUED,
        due_at=now,
        daily_at=None,
        attempts=0,
        dropped_for=DroppedFor.NOTHING,
        is_insisted_on=True,
        was_interrupted=False,
    )
    if not is_queued:
        return False
    send_task_after_commit(TaskName.DELIVER_NOTICE, notice_id)
    return True


@transaction.atomic
def resend_own_notice(*, notice_id: int, wizard: Wizard, now: datetime) -> None:
    """Send the wizard's email again. Raise `Refused` if it is queued or was just resent."""
    mine = Notice.objects.filter(wizard=wizard)
    notice = mine.filter(pk=notice_id).first()
    if notice is None:
        raise Refused("no_such_notice", "There is no such email.")
    again = mine.filter(is_insisted_on=True, due_at__gt=now - RESEND_WINDOW)
    if again.count() >= limits.MAX_REPEATS or again.filter(pk=notice_id).exists():
        raise Refused("sent_again", "You cannot resend this email yet. Try again in an hour.")
    if not resend_notice(notice_id=notice_id, now=now):
        raise Refused("on_its_way", "This email is already on its way.")


def deliver_due(
    *, clock: Callable[[], datetime] = site_now, budget: Budget | None = None
) -> RoundCounts:
    """Run one round: requeue stuck notices, send due ones and delete old ones.

    If the budget runs out or the mail server does not answer, the next round continues.
    """
    notices = Notice.objects.all()
    requeued = outbox.requeue_stuck(notices, clock())
    sent = 0
    with closing(OutgoingConnection()) as outgoing:
        for notice_id in outbox.due_row_ids(
            notices, clock, budget or Budget(outbox.MAX_ROUND_SECONDS)
        ):
            if mail_server.silent_until(clock()):
                break
            sent += deliver_notice(notice_id=notice_id, now=clock(), outgoing=outgoing)
    return RoundCounts(requeued, sent, delete_old_notices(now=clock()))


def delete_old_notices(*, now: datetime) -> int:
    """Delete old finished notices. Return the number deleted."""
    SilencedAddress.objects.filter(lifted_at__lt=outbox.oldest_kept_moment(now)).delete()
    UnclearBounce.objects.filter(sent_at__lt=now - UNCLEAR_BOUNCES_COUNT_FOR).delete()
    return outbox.delete_old_rows(Notice.objects.all(), now)


def _send_email(
    message: EmailMultiAlternatives, now: datetime, outgoing: OutgoingConnection | None
) -> None:
    try:
        if outgoing is None:
            message.send()
        else:
            outgoing.send(message)
    except Exception as error:
        mail_server.record_failure(error, now)
        raise


def _due_notice(notice_id: int, now: datetime) -> QuerySet[Notice]:
    return Notice.objects.filter(pk=notice_id, status=OutboxStatus.QUEUED, due_at__lte=now)


def _claim_with_daily_email(notice_id: int, now: datetime) -> list[Notice]:
    """Claim the notice and all others of the same daily email. Return them, oldest first.

    Either all notices of a daily email are claimed or none, because they are sent under one
    Message-ID.
    """
    single = Notice.objects.filter(Q(daily_at=None) | Q(daily_at__gt=now))
    if outbox.claim_row(single, notice_id, now):
        found = [notice_id]
    else:
        daily = _due_notice(notice_id, now).filter(daily_at__lte=now)
        row = daily.values("wizard", "daily_at").first()
        found = outbox.claim_rows(Notice.objects.filter(**row), notice_id, now) if row else []
    return loading.load_notices(found)


def _notices_to_send(claimed: Sequence[Notice], now: datetime) -> list[Notice]:
    """Return the notices to send now, in one email. Postpone or drop the others."""
    letter: list[Notice] = []
    for notice in claimed:
        match timing.plan_delivery(notice, now):
            case Send():
                letter.append(notice)
            case Wait(until, daily_at):
                outbox.set_status([notice], OutboxStatus.QUEUED, due_at=until, daily_at=daily_at)
            case Skip(why):
                outbox.set_status([notice], OutboxStatus.DROPPED, dropped_for=why)
    return letter


def _handle_failure(letter: Sequence[Notice], error: Exception, now: datetime) -> None:
    """Schedule another attempt, or give up.

    If the address does not exist, give up at once and turn the address off. If the reason for the
    rejection is unclear, turn it off after the last attempt, but only if emails to other wizards
    have been accepted in the meantime. If none were, the server objects to the site, not to the
    address.
    """
    wizard = letter[0].wizard
    answer = mail_server.permanent_refusal(error)
    if answer:
        outbox.set_status(
            letter, OutboxStatus.FAILED, last_error=f"{REFUSED_ERROR_PREFIX}: {answer}"
        )
    elif unclear := mail_server.unclear_refusal(error):
        is_given_up = _retry_later(letter, f"{REFUSED_ERROR_PREFIX}: {unclear}", now)
        if is_given_up and queries.has_reached_others(wizard, since=now - ONE_DAY):
            answer = unclear
    else:
        _retry_later(letter, error_summary(error), now)
    address = queries.address_of(wizard)
    if answer and address:
        silence_address(address=address, answer=answer, now=now)


@transaction.atomic
def _retry_later(letter: Sequence[Notice], error: str, now: datetime) -> bool:
    """Schedule another attempt. Return whether any notice was abandoned instead."""
    failures = [outbox.retry_later(row, error, now, most_attempts=MAX_ATTEMPTS) for row in letter]
    for row, failure in zip(letter, failures, strict=True):
        logger.error(
            "Notice %s (%s, duel %s) was not sent (%s): %s",
            row.pk,
            row.kind,
            row.duel_id,
            failure,
            error,
        )
    return any(failure.is_given_up for failure in failures)
