"""Commands: everything that a person or a worker can do.

Each command is one transaction, checks permissions, and raises `Refused` if it did nothing. Callers
are pages, tasks, the admin and the shell.
"""

from duels.commands.alarms import end_alarm, raise_alarm, tell_operators
from duels.commands.challenges import (
    accept,
    create_challenge,
    decline,
    expire_challenges,
    invite_friend,
    leave,
    rematch,
    withdraw,
)
from duels.commands.closing import begin_closing, close_account, continue_closing, continue_closings
from duels.commands.deadlines import DeadlineCounts, claim, process_deadlines, process_due_deadlines
from duels.commands.endings import decline_draw, offer_draw, resign, withdraw_draw
from duels.commands.guests import (
    accept_as_guest,
    accept_by_name,
    claim_guest,
    create_guest,
    delete_expired_guests,
    delete_guest,
    extend_guest,
    guest_name,
    has_generated_name,
    invite_as_guest,
)
from duels.commands.key_renewal import NO_KEY, KeyUse, Renewed, key_uses, renew_keys
from duels.commands.news import mark_read
from duels.commands.practising import (
    play_on,
    play_opponent,
    play_waiting_opponents,
    practice_wizard,
    start_lesson,
    start_practice,
)
from duels.commands.process_check import Unfit, accept_keys
from duels.commands.process_check import begin as begin_process
from duels.commands.process_check import check as check_process
from duels.commands.process_check import recheck as recheck_process
from duels.commands.referees import appoint_referee, dismiss_referee
from duels.commands.release_check import SAMPLE, check_running_duels, held_rulesets
from duels.commands.resolution import resolve_turn
from duels.commands.sealing import (
    answer_questions,
    check_round,
    drop_draft,
    save_draft,
    seal_orders,
    unseal,
)
from duels.commands.sessions import delete_expired_sessions, end_sessions
from duels.commands.sign_ups import (
    create_requested_wizard,
    delete_expired_sign_ups,
    delete_wizard_request,
    request_wizard,
)
from duels.commands.speaking import mute, send_message, unmute
from duels.commands.sweeping import SweepResult, sweep
from duels.commands.time_keeping import decline_pause, end_pauses, give_time, request_pause
from duels.commands.vacations import (
    end_vacation,
    end_vacations,
    settle_stray_clocks,
    start_vacation,
)
from duels.commands.wizards import (
    available_name,
    block,
    change_pronouns,
    create_wizard,
    set_reading_preferences,
    unblock,
)
from duels.errors import (
    IllegalOrders,
    MissingKey,
    Refused,
    ResolutionFailed,
    StaleForm,
    UnreadWarnings,
    Version,
)

__all__ = [
    "NO_KEY",
    "SAMPLE",
    "DeadlineCounts",
    "IllegalOrders",
    "KeyUse",
    "MissingKey",
    "Refused",
    "Renewed",
    "ResolutionFailed",
    "StaleForm",
    "SweepResult",
    "Unfit",
    "UnreadWarnings",
    "Version",
    "accept",
    "accept_as_guest",
    "accept_by_name",
    "accept_keys",
    "answer_questions",
    "appoint_referee",
    "available_name",
    "begin_closing",
    "begin_process",
    "block",
    "change_pronouns",
    "check_process",
    "check_round",
    "check_running_duels",
    "claim",
    "claim_guest",
    "close_account",
    "continue_closing",
    "continue_closings",
    "create_challenge",
    "create_guest",
    "create_requested_wizard",
    "create_wizard",
    "decline",
    "decline_draw",
    "decline_pause",
    "delete_expired_guests",
    "delete_expired_sessions",
    "delete_expired_sign_ups",
    "delete_guest",
    "delete_wizard_request",
    "dismiss_referee",
    "drop_draft",
    "end_alarm",
    "end_pauses",
    "end_sessions",
    "end_vacation",
    "end_vacations",
    "expire_challenges",
    "extend_guest",
    "give_time",
    "guest_name",
    "has_generated_name",
    "held_rulesets",
    "invite_as_guest",
    "invite_friend",
    "key_uses",
    "leave",
    "mark_read",
    "mute",
    "offer_draw",
    "play_on",
    "play_opponent",
    "play_waiting_opponents",
    "practice_wizard",
    "process_deadlines",
    "process_due_deadlines",
    "raise_alarm",
    "recheck_process",
    "rematch",
    "renew_keys",
    "request_pause",
    "request_wizard",
    "resign",
    "resolve_turn",
    "save_draft",
    "seal_orders",
    "send_message",
    "set_reading_preferences",
    "settle_stray_clocks",
    "start_lesson",
    "start_practice",
    "start_vacation",
    "sweep",
    "tell_operators",
    "unblock",
    "unmute",
    "unseal",
    "withdraw",
    "withdraw_draw",
]
