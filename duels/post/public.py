"""The public interface of the emails' app for the rest of the project."""

from duels.post.bounce_address import BounceHolder, bounce_holder
from duels.post.bounce_codes import NO_REASON, BounceEffect, bounce_effect, bounce_status
from duels.post.commands import (
    confirm_address,
    delete_guest_address,
    delete_mail_choices,
    delete_silenced_addresses,
    deliver_due,
    drop_queued,
    notice,
    process_bounce,
    queue,
    queue_speech,
    reactivate_addresses,
    request_address_confirmation,
    resend_own_notice,
    set_duel_mail_choice,
    set_mail_choice,
    unsubscribe_by_token,
)
from duels.post.kinds.base import NoticeKind
from duels.post.kinds.registry import kind_of
from duels.post.models import GuestAddress, Notice, SilencedFor, When
from duels.post.queries import (
    delivery_log,
    duel_mail_choice,
    guest_address,
    has_notice,
    kept_days,
    mail_choice,
    notified_wizards,
    silenced_addresses,
)
from duels.post.receipts import seal_words
from duels.post.reply_address import ReplyHolder, reply_address, reply_holder
from duels.post.tokens import read_address_token, read_unsubscribe_token

__all__ = [
    "NO_REASON",
    "BounceEffect",
    "BounceHolder",
    "GuestAddress",
    "Notice",
    "NoticeKind",
    "ReplyHolder",
    "SilencedFor",
    "When",
    "bounce_effect",
    "bounce_holder",
    "bounce_status",
    "confirm_address",
    "delete_guest_address",
    "delete_mail_choices",
    "delete_silenced_addresses",
    "deliver_due",
    "delivery_log",
    "drop_queued",
    "duel_mail_choice",
    "guest_address",
    "has_notice",
    "kept_days",
    "kind_of",
    "mail_choice",
    "notice",
    "notified_wizards",
    "process_bounce",
    "queue",
    "queue_speech",
    "reactivate_addresses",
    "read_address_token",
    "read_unsubscribe_token",
    "reply_address",
    "reply_holder",
    "request_address_confirmation",
    "resend_own_notice",
    "seal_words",
    "set_duel_mail_choice",
    "set_mail_choice",
    "silenced_addresses",
    "unsubscribe_by_token",
]
