"""What a person may see. Functions answer querysets or small frozen rows and change nothing.

Nothing of a rival's unresolved orders leaves here but whether, when, and with which commitment they
were sealed. What else an observer may know is decided by `engine.view`.
"""

from duels.queries.asking import questions_for
from duels.queries.lists import (
    challenge_by_token,
    challenges_for,
    duels_awaiting,
    duels_running,
    duels_to_watch,
    finished_duels,
    guest_with,
    open_challenges,
    public_duels,
    rank_of,
    visible_duel,
    wizard_named,
    wizard_of,
)
from duels.queries.pages import duel_page, turn_page
from duels.queries.pictures import Depicted, depicted, depiction
from duels.queries.practising import advised, looked_back
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
)
from duels.queries.stories import WINDOW, record, story, story_before, transcript

__all__ = [
    "WINDOW",
    "AskedQuestion",
    "Depicted",
    "DuelPage",
    "DuelRow",
    "LiveOrders",
    "MarkerRow",
    "Rank",
    "SealRow",
    "SeatRow",
    "Story",
    "TurnPage",
    "TurnRow",
    "advised",
    "challenge_by_token",
    "challenges_for",
    "depicted",
    "depiction",
    "duel_page",
    "duels_awaiting",
    "duels_running",
    "duels_to_watch",
    "finished_duels",
    "guest_with",
    "looked_back",
    "open_challenges",
    "public_duels",
    "questions_for",
    "rank_of",
    "record",
    "story",
    "story_before",
    "transcript",
    "turn_page",
    "visible_duel",
    "wizard_named",
    "wizard_of",
]
