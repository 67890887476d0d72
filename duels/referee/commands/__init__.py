"""Commands with which players and referees act on cases.

Each command is one transaction, checks permissions, and raises `Refused` if it did nothing.
"""

from duels.referee.commands.appeals import appeal, withdraw_appeal
from duels.referee.commands.departing import end_cases_of
from duels.referee.commands.disputes import open_dispute, state, withdraw
from duels.referee.commands.handling import (
    claim,
    close,
    give_back,
    hand_over,
    note,
)
from duels.referee.commands.objections import object_to_referee
from duels.referee.commands.reports import (
    hand_over_reports,
    report_name,
    report_name_of_duel,
    report_words,
    report_words_with_turn,
)
from duels.referee.commands.ruling import rule

__all__ = [
    "appeal",
    "claim",
    "close",
    "end_cases_of",
    "give_back",
    "hand_over",
    "hand_over_reports",
    "note",
    "object_to_referee",
    "open_dispute",
    "report_name",
    "report_name_of_duel",
    "report_words",
    "report_words_with_turn",
    "rule",
    "state",
    "withdraw",
    "withdraw_appeal",
]
