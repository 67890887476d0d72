"""Queries for data that a person may see. They return querysets or frozen rows, and never write.

About an opponent's orders in an open turn, they reveal only when they were sealed, and the
commitment. `engine.view` decides what else an observer may see.
"""

from duels.queries.asking import questions_for
from duels.queries.clocks import KnownClock
from duels.queries.listing import (
    PAGE_ROWS,
    DuelList,
    ListedDuels,
    ListPlace,
    listed_duels,
)
from duels.queries.lists import (
    challenge_by_token,
    challenge_list,
    challenges_that_stand,
    challenges_to_answer,
    duels_awaiting,
    finished_list,
    guest_with,
    load_visible_duel,
    open_list,
    others_to_watch,
    practice_list,
    rank_of,
    read_list,
    running_list,
    visible_duel,
    waiting_list,
    watch_list,
    wizard_named,
    wizard_of,
)
from duels.queries.pages import duel_page, page_of, turn_page
from duels.queries.pictures import (
    PictureMoment,
    acts_in_picture,
    picture_content,
    picture_moment,
)
from duels.queries.practising import advised, history_up_to
from duels.queries.proofs import published_salts
from duels.queries.rows import (
    AskedQuestion,
    DuelPage,
    DuelRow,
    LiveOrders,
    MarkerRow,
    Rank,
    SealRow,
    SeatRow,
    Story,
    TurnPage,
    TurnRow,
    VoidTurnPage,
)
from duels.queries.stories import WINDOW, record, story, transcript
from duels.queries.voided import void_turn_page
from duels.queries.wizards import ListedWizards, WizardRow, players_named, wizards_named

__all__ = [
    "PAGE_ROWS",
    "WINDOW",
    "AskedQuestion",
    "DuelList",
    "DuelPage",
    "DuelRow",
    "KnownClock",
    "ListPlace",
    "ListedDuels",
    "ListedWizards",
    "LiveOrders",
    "MarkerRow",
    "PictureMoment",
    "Rank",
    "SealRow",
    "SeatRow",
    "Story",
    "TurnPage",
    "TurnRow",
    "VoidTurnPage",
    "WizardRow",
    "acts_in_picture",
    "advised",
    "challenge_by_token",
    "challenge_list",
    "challenges_that_stand",
    "challenges_to_answer",
    "duel_page",
    "duels_awaiting",
    "finished_list",
    "guest_with",
    "history_up_to",
    "listed_duels",
    "load_visible_duel",
    "open_list",
    "others_to_watch",
    "page_of",
    "picture_content",
    "picture_moment",
    "players_named",
    "practice_list",
    "published_salts",
    "questions_for",
    "rank_of",
    "read_list",
    "record",
    "running_list",
    "story",
    "transcript",
    "turn_page",
    "visible_duel",
    "void_turn_page",
    "waiting_list",
    "watch_list",
    "wizard_named",
    "wizard_of",
    "wizards_named",
]
