"""A loop for sweeps that continues with the next row if one fails."""

import logging
from collections.abc import Callable, Iterable
from typing import TypeVar

from duels.clocks.budget import Budget
from duels.errors import error_summary
from spellcaster.outages import is_outage

logger = logging.getLogger(__name__)

Id = TypeVar("Id")


def run_for_each(
    ids: Iterable[Id], function: Callable[[Id], bool], budget: Budget, description: str
) -> tuple[int, int]:
    """Call `function` for each id until the budget is spent. Return how many calls did something,
    and how many failed. If the database is down, raise its error.

    `description` is logged before the id of a failed call, for example "Failed to close account".
    """
    done = failed = 0
    for each in ids:
        if budget.is_spent:
            break
        try:
            done += function(each)
        except Exception as error:
            if is_outage(error):
                raise  # all other calls would fail too
            failed += 1
            logger.error("%s %s: %s", description, each, error_summary(error))
    return done, failed
