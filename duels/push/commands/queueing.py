"""Commands that store push notifications, in the transaction of the change that they report."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction

from duels.delivery.nudging import TaskName, send_task_after_commit
from duels.errors import Refused
from duels.models import Turn, Wizard
from duels.push import device_limits, vapid
from duels.push.models import Push, PushKind, PushSubscription, PushText

TEST_TEXT = PushText(PushKind.TEST, "Notifications work on this device")


@dataclass(frozen=True)
class PushEvent:
    """An event to show on a wizard's devices. Each device shows a `key` only once."""

    text: PushText
    wizard_id: int
    turn: Turn | None
    key: str
    at: datetime


def queue_pushes(events: Iterable[PushEvent]) -> int:
    """Store a notification for each device, to send after the commit. Return the number."""
    events = list(events)
    if not events or not vapid.is_configured():
        return 0
    wizards = {event.wizard_id for event in events}
    devices = list(PushSubscription.objects.filter(wizard__in=wizards).order_by("pk"))
    pushes = [
        Push(
            kind=event.text.kind,
            title=event.text.title,
            key=f"{event.key} on {device.pk}",
            wizard_id=event.wizard_id,
            subscription=device,
            device=device.device,
            duel_id=event.turn.duel_id if event.turn else None,
            turn=event.turn,
            created_at=event.at,
            due_at=event.at,
        )
        for event in events
        for device in devices
        if device.wizard_id == event.wizard_id
    ]
    # A duplicate key is not an error: the device was already notified, so leave its row alone.
    written = Push.objects.bulk_create(
        pushes, update_conflicts=True, unique_fields=["key"], update_fields=["key"]
    )
    if settings.PUSH_SENT_IMMEDIATELY:
        send_task_after_commit(TaskName.DELIVER_PUSH, *(each.pk for each in written))
    return len(written)


@transaction.atomic
def send_test(*, wizard: Wizard, now: datetime) -> int:
    """Send a test notification to each of the wizard's devices. Return the number sent."""
    if device_limits.has_reached_test_limit(wizard, now):
        raise Refused("tested_out", "You have sent too many tests. Try again in an hour.")
    sent = queue_pushes([PushEvent(TEST_TEXT, wizard.pk, None, f"test {now.timestamp()}", now)])
    if not sent:
        raise Refused("no_device", "Notifications are not turned on for any of your devices.")
    return sent
