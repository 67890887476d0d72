"""Measurement of processor time, with as little disturbance as possible."""

import gc
import time
from collections.abc import Callable

PASSES = 5


def fastest_pass_seconds(run: Callable[[], object], passes: int = PASSES) -> float:
    """Return the processor time of the fastest (least disturbed) pass, in seconds."""
    times: list[float] = []
    for _ in range(passes):
        gc.collect()
        gc.disable()  # as timeit does; the engine does not create reference cycles
        started = time.process_time()
        run()
        times.append(time.process_time() - started)
        gc.enable()
    return min(times)
