"""A loop for sweeps, in which a failure for one row does not hold up the others."""

import logging
from collections.abc import Callable, Iterable

from duels.budget import Budget
from duels.errors import error_summary

logger = logging.getLogger(__name__)


def for_each(
    ids: Iterable[int], act: Callable[[int], bool], budget: Budget, what: str
) -> tuple[int, int]:
    """Call `act` for each id while the budget lasts. Return how many succeeded and how many failed.

    `what` describes the ids in the log: "The vacation of wizard".
    """
    done = failed = 0
    for each in ids:
        if budget.is_spent:
            break
        try:
            done += act(each)
        except Exception as error:
            failed += 1
            logger.error("%s %s: %s", what, each, error_summary(error))
    return done, failed
