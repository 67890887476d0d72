"""Commands for emails.

Notices are stored in the transaction of the change they report, and delivered after its commit.
"""

from duels.post.commands.addressing import (
    confirm_address,
    delete_guest_address,
    request_address_confirmation,
)
from duels.post.commands.bouncing import (
    delete_silenced_addresses,
    process_bounce,
    process_reported_bounce,
    reactivate_addresses,
    silence_address,
)
from duels.post.commands.choosing import (
    delete_mail_choices,
    set_duel_mail_choice,
    set_mail_choice,
    unsubscribe_by_token,
)
from duels.post.commands.delivering import (
    deliver_due,
    deliver_notice,
    deliver_notices,
    prune,
    resend_notice,
    resend_own_notice,
)
from duels.post.commands.queueing import drop_queued, notice, queue, queue_speech

__all__ = [
    "confirm_address",
    "delete_guest_address",
    "delete_mail_choices",
    "delete_silenced_addresses",
    "deliver_due",
    "deliver_notice",
    "deliver_notices",
    "drop_queued",
    "notice",
    "process_bounce",
    "process_reported_bounce",
    "prune",
    "queue",
    "queue_speech",
    "reactivate_addresses",
    "request_address_confirmation",
    "resend_notice",
    "resend_own_notice",
    "set_duel_mail_choice",
    "set_mail_choice",
    "silence_address",
    "unsubscribe_by_token",
]
