"""A time budget for work that starts every minute, so that it stops before the next start."""

import time
from collections.abc import Callable


class Budget:
    """A time limit that starts when it is created. Loops check it between items."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until = clock() + seconds

    @property
    def is_spent(self) -> bool:
        return self._clock() >= self._until
