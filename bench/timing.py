"""Measurement of time, and waiting."""

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


def milliseconds(run: Callable[[], object]) -> float:
    """Return the time that this takes by the clock."""
    started = time.perf_counter()
    run()
    return (time.perf_counter() - started) * 1_000


def cpu_milliseconds(run: Callable[[], object]) -> float:
    """Return the processor time that this takes."""
    started = time.process_time()
    run()
    return (time.process_time() - started) * 1_000


def wait_until(is_true: Callable[[], bool], seconds: float, check_interval: float = 0.01) -> None:
    """Wait until this is true. Raise `TimeoutError` after this many seconds."""
    give_up = time.monotonic() + seconds
    while not is_true():
        if time.monotonic() > give_up:
            raise TimeoutError("The site does not answer.")
        time.sleep(check_interval)
