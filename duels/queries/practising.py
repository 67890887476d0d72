"""What the practice opponent looks back on, and what he would do in a learner's place."""

import logging
import random
from dataclasses import dataclass, field
from functools import lru_cache

import engine
from duels import adjudication, practice
from duels.errors import described
from duels.models import Orders, Stage, Turn

logger = logging.getLogger(__name__)

REMEMBERED = 20  # turns, as many as a page shows
KEPT = 256


def looked_back(turn: Turn) -> engine.History:
    """The duel up to this turn. Of the turn it holds what the reveal has shown, and no orders."""
    played = Turn.objects.filter(duel=turn.duel_id, stage=Stage.RESOLVED, ordinal__lt=turn.ordinal)
    before = list(played.order_by("-ordinal")[:REMEMBERED])[::-1]
    history = adjudication.history(before, adjudication.position_of(turn))
    if turn.stage == Stage.ORDERS:
        return history
    sealed = Orders.objects.filter(turn=turn, superseded=False).select_related("seat")
    return adjudication.with_reveal(history, turn, list(sealed))


@dataclass(frozen=True)
class Place:
    """A wizard before a turn that waits for orders: what is good for him there does not change."""

    seed_commitment: str  # no two duels have the same
    ordinal: int
    wizard: str
    turn: Turn = field(compare=False)


def advised(turn: Turn, seed_commitment: str, wizard: str) -> engine.Orders | None:
    """What the practice opponent would order in this wizard's place, from what his seat knows.

    None, and a line in the log, where he cannot make up his mind: orders can be sealed without.
    """
    try:
        return _advised(Place(seed_commitment, turn.ordinal, wizard, turn))
    except Exception as error:
        logger.error("No advice for turn %s: %s", turn.pk, described(error))
        return None


@lru_cache(maxsize=KEPT)
def _advised(place: Place) -> engine.Orders:
    luck = random.Random(f"{place.seed_commitment} {place.ordinal}")
    return practice.orders(looked_back(place.turn), place.wizard, luck)
