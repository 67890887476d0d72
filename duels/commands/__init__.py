"""Everything that a person or a worker can do. Each command is one transaction, says who may, and
raises `Refused` when nothing was done. Callers: pages, tasks, the admin, the shell."""

from duels.commands.challenges import (
    accept,
    create_challenge,
    decline,
    expire_challenges,
    leave,
    rematch,
    withdraw,
)
from duels.commands.endings import decline_draw, offer_draw, resign
from duels.commands.guests import create_guest, forget_guest, forget_guests, keep_guest
from duels.commands.news import mark_read
from duels.commands.notices import deliver_due, deliver_notice, requeue_stuck, resend_notice
from duels.commands.practising import (
    practice_wizard,
    practise,
    practise_awaited,
    start_lesson,
    start_practice,
)
from duels.commands.resolution import resolve_turn
from duels.commands.sealing import (
    answer_questions,
    drop_draft,
    save_draft,
    seal_orders,
    unseal,
)
from duels.commands.speaking import mute, say, unmute
from duels.commands.sweeping import Swept, sweep
from duels.commands.wizards import (
    available_name,
    block,
    change_pronouns,
    change_reading,
    close_account,
    create_wizard,
    unblock,
)
from duels.errors import IllegalOrders, Refused, ResolutionFailed, Stale, Unwarned, Version

__all__ = [
    "IllegalOrders",
    "Refused",
    "ResolutionFailed",
    "Stale",
    "Swept",
    "Unwarned",
    "Version",
    "accept",
    "answer_questions",
    "available_name",
    "block",
    "change_pronouns",
    "change_reading",
    "close_account",
    "create_challenge",
    "create_guest",
    "create_wizard",
    "decline",
    "decline_draw",
    "deliver_due",
    "deliver_notice",
    "drop_draft",
    "expire_challenges",
    "forget_guest",
    "forget_guests",
    "keep_guest",
    "leave",
    "mark_read",
    "mute",
    "offer_draw",
    "practice_wizard",
    "practise",
    "practise_awaited",
    "rematch",
    "requeue_stuck",
    "resend_notice",
    "resign",
    "resolve_turn",
    "save_draft",
    "say",
    "seal_orders",
    "start_lesson",
    "start_practice",
    "sweep",
    "unblock",
    "unmute",
    "unseal",
    "withdraw",
]
