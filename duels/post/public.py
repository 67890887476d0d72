"""The post's door: all that the rest of the application may ask of it."""

from duels.post.bounce_address import BounceHolder, bounce_holder
from duels.post.commands import (
    choose_duel_mails,
    choose_mails,
    deliver_due,
    drop_queued,
    forget_addresses,
    forget_choices,
    notice,
    queue,
    queue_words,
    send_again,
    switch_mails_off,
    take_back,
    turn_on_again,
)
from duels.post.models import Notice, NoticeKind, SilencedFor, When
from duels.post.queries import (
    delivery_log,
    duel_mail_choice,
    kept_days,
    mail_choice,
    mailed_wizards,
    silenced_addresses,
    was_told,
)
from duels.post.reply_address import ReplyHolder, reply_address, reply_holder
from duels.post.tokens import named_by

__all__ = [
    "BounceHolder",
    "Notice",
    "NoticeKind",
    "ReplyHolder",
    "SilencedFor",
    "When",
    "bounce_holder",
    "choose_duel_mails",
    "choose_mails",
    "deliver_due",
    "delivery_log",
    "drop_queued",
    "duel_mail_choice",
    "forget_addresses",
    "forget_choices",
    "kept_days",
    "mail_choice",
    "mailed_wizards",
    "named_by",
    "notice",
    "queue",
    "queue_words",
    "reply_address",
    "reply_holder",
    "send_again",
    "silenced_addresses",
    "switch_mails_off",
    "take_back",
    "turn_on_again",
    "was_told",
]
