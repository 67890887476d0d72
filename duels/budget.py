"""A time budget, so that a round that runs every minute stops before the next one."""

import time
from collections.abc import Callable


class Budget:
    """A time limit in seconds from its creation. Loops check it between two items."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until = clock() + seconds

    @property
    def is_spent(self) -> bool:
        return self._clock() >= self._until
