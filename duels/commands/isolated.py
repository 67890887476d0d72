"""A loop for sweeps that continues with the other rows if one fails."""

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
    """Call `function` for each id while the budget lasts. Return how many succeeded and how many
    failed. An outage of the database ends the loop with its error.

    `description` is the text before the id in the log, such as "The vacation of wizard".
    """
    done = failed = 0
    for each in ids:
        if budget.is_spent:
            break
        try:
            done += function(each)
        except Exception as error:
            if is_outage(error):
                raise  # all others would fail too
            failed += 1
            logger.error("%s %s: %s", description, each, error_summary(error))
    return done, failed
