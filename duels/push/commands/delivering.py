"""Commands that deliver push notifications through `duels.delivery.outbox`, with its guarantees.

If a second copy is sent because a worker has died, it has the same topic, so the device shows only
one.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from django.db.models import F

from duels.caching import silence
from duels.clocks.budget import Budget
from duels.delivery import outbox, public_hosts
from duels.delivery.outbox import RoundCounts, Skip, Wait
from duels.errors import error_summary
from duels.loaded.database_clock import site_now
from duels.models import REFUSED_ERROR_PREFIX, OutboxStatus
from duels.push import device_limits, sending, timing
from duels.push.message import push_message_for
from duels.push.models import Push, PushDroppedFor, PushSubscription
from duels.push.sending import PushResponse

logger = logging.getLogger(__name__)

MAX_ATTEMPTS: Final = 12


def deliver_push(*, push_id: int, now: datetime | None = None) -> bool:
    """Send this notification if it is due, unclaimed and wanted. Return whether it was sent.

    `duels.push.timing` decides whether it is wanted.
    """
    now = now or site_now()
    if not outbox.claim_row(Push.objects.all(), push_id, now):
        return False
    push = Push.objects.select_related("wizard", "subscription", "turn").get(pk=push_id)
    try:
        match timing.plan_delivery(push, now):
            case Wait(until):
                outbox.set_status([push], OutboxStatus.QUEUED, due_at=until)
                return False
            case Skip(why):
                outbox.set_status([push], OutboxStatus.DROPPED, dropped_for=why)
                return False
        assert push.subscription is not None
        host = public_hosts.host_of(push.subscription.endpoint)
        if silent_until := silence.silent_until(host, now):
            outbox.set_status([push], OutboxStatus.QUEUED, due_at=silent_until)
            return False
        answer = sending.send_push(push.subscription, push_message_for(push, now), now)
    except Exception as error:
        # Catch every error, so that no notification stays claimed.
        _retry_later(push, error_summary(error), now)
        return False
    return _process_response(push, push.subscription, answer, now)


def deliver_due(
    *, clock: Callable[[], datetime] = site_now, budget: Budget | None = None
) -> RoundCounts:
    """Run one round: requeue stuck notifications, send due ones and delete old ones.

    If the budget runs out, the next round continues.
    """
    pushes = Push.objects.all()
    requeued = outbox.requeue_stuck(pushes, clock())
    waiting = outbox.due_row_ids(pushes, clock, budget or Budget(outbox.MAX_ROUND_SECONDS))
    sent = sum(deliver_push(push_id=push_id, now=clock()) for push_id in waiting)
    return RoundCounts(requeued, sent, outbox.delete_old_rows(pushes, clock()))


def _process_response(
    push: Push, subscription: PushSubscription, response: PushResponse, now: datetime
) -> bool:
    """Record the push service's response. Return whether the service has accepted the message."""
    row = PushSubscription.objects.filter(pk=subscription.pk)
    if response.is_accepted:
        outbox.mark_sent([push], now)
        row.update(last_success_at=now, failures=0)
        return True
    if response.is_gone:
        outbox.set_status([push], OutboxStatus.DROPPED, dropped_for=PushDroppedFor.GONE)
        row.delete()
    elif response.is_temporary:
        _retry_later(push, f"answered: {response.status}", now, response.retry_after)
    else:
        logger.error("Push %s was rejected with status %s", push.pk, response.status)
        outbox.set_status(
            [push], OutboxStatus.FAILED, last_error=f"{REFUSED_ERROR_PREFIX}: {response.status}"
        )
        row.update(failures=F("failures") + 1)
        row.filter(failures__gte=device_limits.MAX_FAILURES).delete()
    return False


def _retry_later(
    push: Push, error: str, now: datetime, requested_delay: timedelta | None = None
) -> None:
    """Schedule another attempt, not before the service's `requested_delay`, or give up."""
    failure = outbox.retry_later(
        push, error, now, most_attempts=MAX_ATTEMPTS, pause=requested_delay or timedelta(0)
    )
    logger.warning(
        "Push %s (%s, duel %s) was not sent (%s): %s",
        push.pk,
        push.kind,
        push.duel_id,
        failure,
        error,
    )
