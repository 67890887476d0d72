"""Commands for devices and notifications, which are stored with a change and delivered after it."""

from duels.push.commands.delivering import deliver_due, deliver_push
from duels.push.commands.queueing import PushEvent, queue, send_test
from duels.push.commands.subscribing import (
    delete_push_data,
    set_push_choice,
    subscribe,
    unsubscribe,
)

__all__ = [
    "PushEvent",
    "delete_push_data",
    "deliver_due",
    "deliver_push",
    "queue",
    "send_test",
    "set_push_choice",
    "subscribe",
    "unsubscribe",
]
