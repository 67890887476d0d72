"""What a sweep does for many, one by one: what fails for one holds up no other."""

import logging
from collections.abc import Callable, Iterable

from duels.budget import Budget
from duels.errors import described

logger = logging.getLogger(__name__)


def for_each(
    ids: Iterable[int], act: Callable[[int], bool], budget: Budget, what: str
) -> tuple[int, int]:
    """For how many of these it was done, and for how many it failed; as far as the budget goes.

    `what` they are, for the log: "The vacation of wizard".
    """
    done = failed = 0
    for each in ids:
        if budget.is_spent:
            break
        try:
            done += act(each)
        except Exception as error:
            failed += 1
            logger.error("%s %s: %s", what, each, described(error))
    return done, failed
