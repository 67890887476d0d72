"""The public interface of notifications for the rest of the app."""

from duels.push.commands import (
    Told,
    choose,
    deliver_due,
    forget,
    queue,
    send_test,
    subscribe,
    unsubscribe,
)
from duels.push.devices import device_name
from duels.push.models import Push, PushKind, PushSubscription
from duels.push.queries import devices, push_choice, push_log
from duels.push.vapid import is_on, new_private_key, public_key

__all__ = [
    "Push",
    "PushKind",
    "PushSubscription",
    "Told",
    "choose",
    "deliver_due",
    "device_name",
    "devices",
    "forget",
    "is_on",
    "new_private_key",
    "public_key",
    "push_choice",
    "push_log",
    "queue",
    "send_test",
    "subscribe",
    "unsubscribe",
]
