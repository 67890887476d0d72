"""Commands for devices and notifications, which are stored with a change and delivered after it."""

from duels.push.commands.delivering import deliver_due, deliver_push
from duels.push.commands.queueing import Told, queue, send_test
from duels.push.commands.subscribing import choose, forget, subscribe, unsubscribe

__all__ = [
    "Told",
    "choose",
    "deliver_due",
    "deliver_push",
    "forget",
    "queue",
    "send_test",
    "subscribe",
    "unsubscribe",
]
