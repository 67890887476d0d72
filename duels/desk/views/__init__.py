"""Views of the desk: parse, call one command or query, render."""

from duels.desk.views.acting import act, acts
from duels.desk.views.cases import case, claim, close, give_back, hand_over, log, note, queue
from duels.desk.views.evidence import dry_run, open_turn, timeline, turn
from duels.desk.views.ruling import ruling

__all__ = [
    "act",
    "acts",
    "case",
    "claim",
    "close",
    "dry_run",
    "give_back",
    "hand_over",
    "log",
    "note",
    "open_turn",
    "queue",
    "ruling",
    "timeline",
    "turn",
]
