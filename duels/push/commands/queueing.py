"""Commands that store push notifications, in the transaction of the change that they report."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction

from duels.delivery.nudging import TaskName, send_task_after_commit
from duels.errors import Refused
from duels.models import Turn, Wizard
from duels.push import device_limits, queries, vapid
from duels.push.models import Push, PushKind, PushSubscription, PushText

TEST = PushText(PushKind.TEST, "Notifications work on this device")


@dataclass(frozen=True)
class PushEvent:
    """An event to show on a wizard's devices. Each device shows a `key` only once."""

    text: PushText
    wizard_id: int
    turn: Turn | None
    key: str
    at: datetime


def queue_pushes(events: Iterable[PushEvent]) -> None:
    """Store a notification for each device, and request delivery after the commit."""
    events = list(events)
    if not events or not vapid.is_configured():
        return
    devices: dict[int, list[PushSubscription]] = defaultdict(list)
    wizards = {each.wizard_id for each in events}
    for subscription in PushSubscription.objects.filter(wizard__in=wizards).order_by("pk"):
        devices[subscription.wizard_id].append(subscription)
    _store_pushes(
        _new_push(each.text, subscription, f"{each.key} on {subscription.pk}", each.at, each.turn)
        for each in events
        for subscription in devices[each.wizard_id]
    )


@transaction.atomic
def send_test(*, wizard: Wizard, now: datetime) -> int:
    """Send a test notification to each of the wizard's devices. Return the number sent."""
    if device_limits.has_reached_test_limit(wizard, now):
        raise Refused("tested_out", "You have sent too many tests. Try again in an hour.")
    found = list(queries.devices(wizard))
    if not found:
        raise Refused("no_device", "Notifications are not turned on for any of your devices.")
    at = now.timestamp()
    return _store_pushes(
        _new_push(TEST, subscription, f"test {at} on {subscription.pk}", now)
        for subscription in found
    )


def _new_push(
    text: PushText,
    subscription: PushSubscription,
    key: str,
    now: datetime,
    turn: Turn | None = None,
) -> Push:
    return Push(
        kind=text.kind,
        title=text.title,
        key=key,
        wizard_id=subscription.wizard_id,
        subscription=subscription,
        device=subscription.device,
        duel_id=turn.duel_id if turn else None,
        turn=turn,
        created_at=now,
        due_at=now,
    )


def _store_pushes(pushes: Iterable[Push]) -> int:
    # A duplicate key is not an error: the device was already notified, so leave its row alone.
    written = Push.objects.bulk_create(
        pushes, update_conflicts=True, unique_fields=["key"], update_fields=["key"]
    )
    if settings.PUSH_NUDGED:
        send_task_after_commit(TaskName.DELIVER_PUSH, *(each.pk for each in written))
    return len(written)
