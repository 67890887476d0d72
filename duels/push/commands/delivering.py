"""Delivery: a notification is claimed, sent and marked, by whoever comes first.

As with mails, each is sent, given up, or dropped for a reason, though workers die at any step. One
that dies after the push service has taken a message leaves it to be sent again; under the same
topic, so that the device shows one.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, assert_never

from django.conf import settings
from django.db.models import F, QuerySet
from django.utils import timezone

from duels.budget import Budget
from duels.errors import described
from duels.push import limits, sending, timing
from duels.push.message import message
from duels.push.models import FINISHED, Push, PushDroppedFor, PushStatus, PushSubscription
from duels.push.sending import Answer
from duels.push.timing import Drop, Send, Wait

logger = logging.getLogger(__name__)

# A minute, then twice as long each time, at most six hours.
MOST_ATTEMPTS: Final = 12
FIRST_PAUSE: Final = timedelta(minutes=1)
LONGEST_PAUSE: Final = timedelta(hours=6)
STUCK_AFTER: Final = timedelta(minutes=10)  # far longer than a task may take: `duels.push.tasks`
ROUND_SECONDS: Final = 50  # a round is called every minute
PRUNED_AT_ONCE: Final = 1_000


@dataclass(frozen=True)
class PushResult:
    """What a round has done."""

    requeued: int
    sent: int
    pruned: int

    def __str__(self) -> str:
        return f"notifications queued again {self.requeued}, sent {self.sent}, pruned {self.pruned}"


def deliver_push(*, push_id: int, now: datetime | None = None) -> bool:
    """Send this notification if its time has come, unless somebody has or does, or something speaks
    against it (`duels.push.timing`). Answers whether it was sent now."""
    now = now or timezone.now()
    push = _claimed(push_id, now)
    if push is None:
        return False
    try:
        plan = timing.plan(push, now)
        if not isinstance(plan, Send):
            _follow(push, plan)
            return False
        assert push.subscription is not None
        if silent_until := sending.silent_until(push.subscription, now):
            _mark(push, PushStatus.QUEUED, due_at=silent_until)
            return False
        answer = sending.send(push.subscription, message(push, now), now)
    except Exception as error:
        # Whatever went wrong, no notification must stay claimed.
        _put_off(push, described(error), now)
        return False
    return _settle(push, push.subscription, answer, now)


def deliver_due(
    *, clock: Callable[[], datetime] = timezone.now, budget: Budget | None = None
) -> PushResult:
    """One round: what is stuck is queued again, what is due is sent, what is old is deleted.

    It ends with its budget: the next round goes on.
    """
    budget = budget or Budget(ROUND_SECONDS)
    requeued = _requeue_stuck(clock())
    due = Push.objects.filter(status=PushStatus.QUEUED, due_at__lte=clock())
    sent = 0
    for push_id in due.order_by("due_at").values_list("pk", flat=True):
        if budget.is_spent:
            break
        sent += deliver_push(push_id=push_id, now=clock())
    return PushResult(requeued, sent, prune(now=clock()))


def prune(*, now: datetime) -> int:
    """Notifications that are long done with are gone, not more than a batch at once. How many."""
    oldest_kept = now - timedelta(days=settings.NOTICES_KEPT_DAYS)
    old = Push.objects.filter(status__in=FINISHED, created_at__lt=oldest_kept)
    found = list(old.order_by("created_at").values_list("pk", flat=True)[:PRUNED_AT_ONCE])
    return Push.objects.filter(pk__in=found, status__in=FINISHED).delete()[0] if found else 0


def _requeue_stuck(now: datetime) -> int:
    """Queue what was claimed long ago by a worker that must have died."""
    stuck = Push.objects.filter(status=PushStatus.SENDING, claimed_at__lte=now - STUCK_AFTER)
    return stuck.update(status=PushStatus.QUEUED, due_at=now)


def _claimed(push_id: int, now: datetime) -> Push | None:
    """The notification, which is ours to send now; None where it is not."""
    due = Push.objects.filter(pk=push_id, status=PushStatus.QUEUED, due_at__lte=now)
    if due.update(status=PushStatus.SENDING, claimed_at=now) != 1:
        return None
    return Push.objects.select_related("wizard", "subscription", "turn").get(pk=push_id)


def _follow(push: Push, plan: Wait | Drop) -> None:
    match plan:
        case Wait(until):
            _mark(push, PushStatus.QUEUED, due_at=until)
        case Drop(why):
            _mark(push, PushStatus.DROPPED, dropped_for=why)
        case _:
            assert_never(plan)


def _settle(push: Push, subscription: PushSubscription, answer: Answer, now: datetime) -> bool:
    """What follows from the push service's answer. Answers whether it has taken the message."""
    row = PushSubscription.objects.filter(pk=subscription.pk)
    if answer.is_taken:
        # Whoever holds it by now need not send it again.
        sent = {"status": PushStatus.SENT, "sent_at": now, "last_error": ""}
        Push.objects.filter(pk=push.pk).update(**sent)
        row.update(last_success_at=now, failures=0)
        return True
    if answer.is_gone:
        _mark(push, PushStatus.DROPPED, dropped_for=PushDroppedFor.GONE)
        row.delete()
    elif answer.may_pass:
        _put_off(push, f"answered: {answer.status}", now, answer.retry_after)
    else:
        logger.error("Push %s was refused: %s", push.pk, answer.status)
        _mark(push, PushStatus.FAILED, last_error=f"refused: {answer.status}")
        row.update(failures=F("failures") + 1)
        row.filter(failures__gte=limits.MOST_FAILURES).delete()
    return False


def _put_off(push: Push, error: str, now: datetime, asked: timedelta | None = None) -> None:
    """Tried again later, and not before the push service has `asked` for it; or given up."""
    attempts = push.attempts + 1
    is_given_up = attempts >= MOST_ATTEMPTS
    logger.warning(
        "Push %s (%s, duel %s) was not sent, attempt %s%s: %s",
        *(push.pk, push.kind, push.duel_id, attempts, " and given up" if is_given_up else ""),
        error,
    )
    pause = min(max(FIRST_PAUSE * 2**push.attempts, asked or timedelta(0)), LONGEST_PAUSE)
    status = PushStatus.FAILED if is_given_up else PushStatus.QUEUED
    _mark(push, status, attempts=attempts, last_error=error, due_at=now + pause)


def _mark(push: Push, status: PushStatus, **changes: Any) -> None:
    """Only where the claim is still ours: it may have been taken for dead."""
    ours: QuerySet[Push] = Push.objects.filter(
        pk=push.pk, status=PushStatus.SENDING, claimed_at=push.claimed_at
    )
    ours.update(status=status, **changes)
