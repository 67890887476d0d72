"""What the addresses of `duels.urls` answer: views parse, call one command or query, and render."""

from duels.views.about import about, privacy, terms
from duels.views.challenges import (
    challenge_accept,
    challenge_decline,
    challenge_leave,
    challenge_new,
    challenge_withdraw,
    invitation,
)
from duels.views.duel_pages import duel, record, transcript
from duels.views.endings import draw, rematch, resign
from duels.views.games import game, game_turn, game_turns
from duels.views.news import read
from duels.views.order_pages import answers, draft, orders, sheet
from duels.views.pages import home
from duels.views.pictures import picture
from duels.views.practice import guest_forget, play, practice
from duels.views.presence import pulse, waiting
from duels.views.reading import reading
from duels.views.rulebook import differences, rulebooks, rules, turn_order
from duels.views.speech import mute, say, unmute, words
from duels.views.spellbook import spellbook
from duels.views.stepping import turn, turns
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
    "differences",
    "draft",
    "draw",
    "duel",
    "game",
    "game_turn",
    "game_turns",
    "guest_forget",
    "home",
    "invitation",
    "mute",
    "orders",
    "picture",
    "play",
    "practice",
    "privacy",
    "pulse",
    "read",
    "reading",
    "record",
    "rematch",
    "resign",
    "rulebooks",
    "rules",
    "say",
    "settings",
    "sheet",
    "spellbook",
    "terms",
    "transcript",
    "turn",
    "turn_order",
    "turns",
    "unmute",
    "waiting",
    "wizard",
    "wizard_block",
    "wizard_unblock",
    "words",
]
