"""How long something takes, disturbed as little as can be."""

import gc
import time
from collections.abc import Callable

PASSES = 5


def best(run: Callable[[], object]) -> float:
    """The shortest of some passes, in seconds of this process: the others were disturbed."""
    times: list[float] = []
    for _ in range(PASSES):
        gc.collect()
        gc.disable()  # as timeit does: the engine makes no cycles for it to find
        started = time.process_time()
        run()
        times.append(time.process_time() - started)
        gc.enable()
    return min(times)
