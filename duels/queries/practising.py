"""Queries for the history that the practice opponent uses, and for its advice to learners."""

import logging

import engine.play
from duels.caching.caches import KeyedCache
from duels.errors import error_summary
from duels.loaded import adjudication
from duels.loaded.open_turn import OpenTurn
from duels.models import Stage, Turn
from duels.practice.suggestion import suggested_gestures

logger = logging.getLogger(__name__)

TURNS_REMEMBERED = 20  # number of turns, as on the duel's page


def history_up_to(turn: OpenTurn) -> engine.play.History:
    """Return the duel's history up to this turn, including its revealed gestures but no orders."""
    row = turn.row
    played = Turn.objects.filter(duel=row.duel_id, stage=Stage.RESOLVED, ordinal__lt=row.ordinal)
    before = list(played.order_by("-ordinal")[:TURNS_REMEMBERED])[::-1]
    history = adjudication.history(before, turn.position)
    return history if row.stage == Stage.ORDERS else turn.history_with_reveal(history)


SUGGESTION_CACHE: KeyedCache[tuple[str, int, str], str] = KeyedCache(
    "suggested gestures", size=256, key="duel, turn, wizard"
)


def suggested_pair(turn: OpenTurn, wizard: str) -> str:
    """Return gestures as of the practice opponent in this wizard's place, or "" on failure."""
    try:
        place = (turn.duel.seed_commitment, turn.row.ordinal, wizard)
        return SUGGESTION_CACHE.get(place, lambda: suggested_gestures(history_up_to(turn), wizard))
    except Exception as error:
        logger.error("Advice failed for turn %s: %s", turn.row.pk, error_summary(error))
        return ""
