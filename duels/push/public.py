"""The public interface of notifications for the rest of the project."""

from duels.push.commands import (
    PushEvent,
    delete_push_data,
    deliver_due,
    queue,
    send_test,
    set_push_choice,
    subscribe,
    unsubscribe,
)
from duels.push.devices import device_name
from duels.push.models import YOUR_TURN, Push, PushKind, PushSubscription, PushText
from duels.push.queries import devices, push_choice, push_log
from duels.push.vapid import is_on, new_private_key, public_key

__all__ = [
    "YOUR_TURN",
    "Push",
    "PushEvent",
    "PushKind",
    "PushSubscription",
    "PushText",
    "delete_push_data",
    "deliver_due",
    "device_name",
    "devices",
    "is_on",
    "new_private_key",
    "public_key",
    "push_choice",
    "push_log",
    "queue",
    "send_test",
    "set_push_choice",
    "subscribe",
    "unsubscribe",
]
