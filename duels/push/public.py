"""The public interface of notifications for the rest of the project."""

from duels.push.commands.delivering import deliver_due
from duels.push.commands.queueing import PushEvent, queue, send_test
from duels.push.commands.subscribing import (
    delete_push_data,
    set_push_choice,
    subscribe,
    unsubscribe,
)
from duels.push.devices import device_name
from duels.push.models import Push, PushKind, PushSubscription
from duels.push.queries import devices, push_choice, push_log
from duels.push.vapid import is_on, new_private_key, public_key

__all__ = [
    "Push",
    "PushEvent",
    "PushKind",
    "PushSubscription",
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
