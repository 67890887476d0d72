"""Commands of the post. Notices are stored with the change they report, and delivered after it."""

from duels.post.commands.addressing import ask_address, confirm_address, drop_address
from duels.post.commands.bouncing import (
    forget_addresses,
    silence,
    take_back,
    turn_off,
    turn_on_again,
)
from duels.post.commands.choosing import (
    choose_duel_mails,
    choose_mails,
    forget_choices,
    switch_mails_off,
)
from duels.post.commands.delivering import (
    deliver_due,
    deliver_notice,
    prune,
    resend_notice,
    send_again,
)
from duels.post.commands.queueing import drop_queued, notice, queue, queue_words

__all__ = [
    "ask_address",
    "choose_duel_mails",
    "choose_mails",
    "confirm_address",
    "deliver_due",
    "deliver_notice",
    "drop_address",
    "drop_queued",
    "forget_addresses",
    "forget_choices",
    "notice",
    "prune",
    "queue",
    "queue_words",
    "resend_notice",
    "send_again",
    "silence",
    "switch_mails_off",
    "take_back",
    "turn_off",
    "turn_on_again",
]
