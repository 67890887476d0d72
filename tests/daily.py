"""Daily samples of long lists of cases, for tests that would need minutes for complete lists.

A usual run tests a part of each list. The part depends on the date, so that all cases are tested
every few weeks. `make test-all` uses the complete lists. Every run prints its seed.
DAILY_SEED=2026-03-01 repeats the samples of that day, and DAILY_SEED=whole uses the complete lists.
"""

import os
from collections.abc import Iterable
from datetime import UTC, datetime
from random import Random
from typing import Final, TypeVar

from hypothesis import HealthCheck, settings

SEED_VARIABLE: Final = "DAILY_SEED"
WHOLE_SEED: Final = "whole"
SEED: Final = os.environ.get(SEED_VARIABLE) or datetime.now(UTC).date().isoformat()
IS_WHOLE: Final = SEED == WHOLE_SEED
EXAMPLES_ONE_IN: Final = 6  # a usual run tries one in six examples of a property

# No test fails because it is slow, or because its assumptions discard many of the first examples.
settings.register_profile(
    "steady",
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
settings.load_profile("steady")

T = TypeVar("T")


def sample(cases: Iterable[T], one_in: int, *key: object) -> list[T]:
    """Return one in `one_in` of these cases, and at least one, in their order.

    `key` names the list: lists with different keys have different samples on the same day.
    """
    every = list(cases)
    if IS_WHOLE or not every:
        return every
    count = -(-len(every) // one_in)
    places = Random(repr((SEED, *key))).sample(range(len(every)), count)
    return [every[place] for place in sorted(places)]


def examples(number: int) -> int:
    """Return the number of examples of a property to try, given the number for a complete run.

    Hypothesis draws different examples in each run, and prints those that fail.
    """
    return number if IS_WHOLE else -(-number // EXAMPLES_ONE_IN)
