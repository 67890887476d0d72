"""How long something takes, disturbed as little as can be."""

import gc
import time
from collections.abc import Callable

PASSES = 5


def best(run: Callable[[], object], passes: int = PASSES) -> float:
    """Return the shortest of some passes in processor seconds: the others were disturbed."""
    times: list[float] = []
    for _ in range(passes):
        gc.collect()
        gc.disable()  # as timeit does: the engine makes no cycles for it to find
        started = time.process_time()
        run()
        times.append(time.process_time() - started)
        gc.enable()
    return min(times)
