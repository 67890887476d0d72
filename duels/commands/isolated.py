"""A loop for sweeps that continues with the other rows if one fails."""

import logging
from collections.abc import Callable, Iterable

from duels.clocks.budget import Budget
from duels.errors import error_summary

logger = logging.getLogger(__name__)


def for_each(
    ids: Iterable[int], act: Callable[[int], bool], budget: Budget, what: str
) -> tuple[int, int]:
    """Call `act` for each id while the budget lasts. Return how many succeeded and how many failed.

    `what` is the text before the id in the log, such as "The vacation of wizard".
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
