"""The history that the practice opponent uses, and its advice to a learner."""

import logging
import random
from dataclasses import dataclass

import engine.orders
import engine.play
from duels.caching.caches import KeyedCache
from duels.errors import error_summary
from duels.loaded import adjudication
from duels.loaded.open_turn import OpenTurn
from duels.models import Stage, Turn
from duels.practice import play

logger = logging.getLogger(__name__)

REMEMBERED = 20  # turns, as on a page


def history_up_to(turn: OpenTurn) -> engine.play.History:
    """Return the duel's history up to this turn, including its revealed gestures but no orders."""
    row = turn.row
    played = Turn.objects.filter(duel=row.duel_id, stage=Stage.RESOLVED, ordinal__lt=row.ordinal)
    before = list(played.order_by("-ordinal")[:REMEMBERED])[::-1]
    history = adjudication.history(before, turn.position)
    return history if row.stage == Stage.ORDERS else turn.history_with_reveal(history)


@dataclass(frozen=True)
class Place:
    """A wizard in a turn that waits for orders. The advice for each such place never changes."""

    seed_commitment: str  # unique for each duel
    ordinal: int
    wizard: str


ADVICE: KeyedCache[Place, engine.orders.Orders] = KeyedCache(
    "practice orders", size=256, key="the Place: duel, turn, wizard"
)


def advised_orders(turn: OpenTurn, wizard: str) -> engine.orders.Orders | None:
    """Return the orders that the practice opponent would write in this wizard's place.

    If that fails, log the error and return None: players can seal orders without advice.
    """
    try:
        place = Place(turn.duel.seed_commitment, turn.row.ordinal, wizard)
        return ADVICE.get(place, lambda: _choose_advised_orders(place, turn))
    except Exception as error:
        logger.error("Advice failed for turn %s: %s", turn.row.pk, error_summary(error))
        return None


def _choose_advised_orders(place: Place, turn: OpenTurn) -> engine.orders.Orders:
    luck = random.Random(f"{place.seed_commitment} {place.ordinal}")
    return play.choose_orders(history_up_to(turn), place.wizard, luck)
