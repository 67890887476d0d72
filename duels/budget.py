"""A budget of time: rounds that are called every minute stop before the next one comes."""

import time
from collections.abc import Callable


class Budget:
    """So many seconds from now on. Whoever works through a list asks between two things of it."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until = clock() + seconds

    @property
    def is_spent(self) -> bool:
        return self._clock() >= self._until
