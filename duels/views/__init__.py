"""Views for the addresses in `duels.urls`. Views parse the request, call one command or query, and
render."""

from duels.views.about import about, from_warlocks, primer, privacy, proof, terms
from duels.views.accounts import account_close, account_export
from duels.views.challenges import (
    challenge_accept,
    challenge_decline,
    challenge_leave,
    challenge_new,
    challenge_withdraw,
    invitation,
    invitation_accept,
    invite,
)
from duels.views.disputes import (
    case,
    case_appeal,
    case_object,
    case_say,
    case_withdraw,
    cases,
    dispute,
    duel_name_report,
    name_report,
    turn_words_report,
    words_report,
)
from duels.views.duel import duel, record, transcript
from duels.views.endings import claim, draw, pause, rematch, resign, time
from duels.views.guest_mail import guest_mail, guest_mail_confirm
from duels.views.home import home
from duels.views.lists import duels, wizards
from duels.views.mail import duel_mail, mail_again, mail_off, mail_on, mail_settings
from duels.views.orders import answers, draft, orders, sheet
from duels.views.pictures import picture
from duels.views.practice import delete_guest, play, play_on, practice
from duels.views.presence import poll, waiting
from duels.views.push import push_choice, push_key, push_off, push_on, push_test
from duels.views.read_marks import read
from duels.views.reading import reading
from duels.views.rules import differences, rule_note, rulebooks, rules, turn_order
from duels.views.rulings import referees, ruling, rulings
from duels.views.sample_games import game, game_turn, game_turns
from duels.views.sessions import session_end
from duels.views.speech import mute, say, unmute, words
from duels.views.spellbook import spellbook
from duels.views.turns import turn, turn_proof, turns, void_turn
from duels.views.unsent import csrf_failure, unsent
from duels.views.web_app import favicon, manifest, robots, service_worker
from duels.views.wizards import (
    settings,
    vacation,
    wizard,
    wizard_block,
    wizard_unblock,
)

__all__ = [
    "about",
    "account_close",
    "account_export",
    "answers",
    "case",
    "case_appeal",
    "case_object",
    "case_say",
    "case_withdraw",
    "cases",
    "challenge_accept",
    "challenge_decline",
    "challenge_leave",
    "challenge_new",
    "challenge_withdraw",
    "claim",
    "csrf_failure",
    "delete_guest",
    "differences",
    "dispute",
    "draft",
    "draw",
    "duel",
    "duel_mail",
    "duel_name_report",
    "duels",
    "favicon",
    "from_warlocks",
    "game",
    "game_turn",
    "game_turns",
    "guest_mail",
    "guest_mail_confirm",
    "home",
    "invitation",
    "invitation_accept",
    "invite",
    "mail_again",
    "mail_off",
    "mail_on",
    "mail_settings",
    "manifest",
    "mute",
    "name_report",
    "orders",
    "pause",
    "picture",
    "play",
    "play_on",
    "poll",
    "practice",
    "primer",
    "privacy",
    "proof",
    "push_choice",
    "push_key",
    "push_off",
    "push_on",
    "push_test",
    "read",
    "reading",
    "record",
    "referees",
    "rematch",
    "resign",
    "robots",
    "rule_note",
    "rulebooks",
    "rules",
    "ruling",
    "rulings",
    "say",
    "service_worker",
    "session_end",
    "settings",
    "sheet",
    "spellbook",
    "terms",
    "time",
    "transcript",
    "turn",
    "turn_order",
    "turn_proof",
    "turn_words_report",
    "turns",
    "unmute",
    "unsent",
    "vacation",
    "void_turn",
    "waiting",
    "wizard",
    "wizard_block",
    "wizard_unblock",
    "wizards",
    "words",
    "words_report",
]
