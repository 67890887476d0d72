"""What the addresses of `duels.urls` answer: views parse, call one command or query, and render."""

from duels.views.book import about, privacy, spellbook, terms
from duels.views.challenges import (
    challenge_accept,
    challenge_decline,
    challenge_leave,
    challenge_new,
    challenge_withdraw,
    invitation,
)
from duels.views.duel_pages import duel, record, transcript, turn
from duels.views.endings import draw, rematch, resign
from duels.views.order_pages import answers, orders, sheet
from duels.views.pages import home
from duels.views.rulebook import rules
from duels.views.wizards import (
    account_close,
    settings,
    wizard,
    wizard_block,
    wizard_unblock,
)

__all__ = [
    "about",
    "account_close",
    "answers",
    "challenge_accept",
    "challenge_decline",
    "challenge_leave",
    "challenge_new",
    "challenge_withdraw",
    "draw",
    "duel",
    "home",
    "invitation",
    "orders",
    "privacy",
    "record",
    "rematch",
    "resign",
    "rules",
    "settings",
    "sheet",
    "spellbook",
    "terms",
    "transcript",
    "turn",
    "wizard",
    "wizard_block",
    "wizard_unblock",
]
