"""Rare runs of the garbage collector, which otherwise takes a fifth of the time of a test run."""

import gc


def pause() -> None:
    """Turn the garbage collector off, until all tests are collected."""
    gc.disable()


def resume_rarely() -> None:
    """Turn the garbage collector on, for rare runs.

    It ignores existing objects, because modules and tests are never freed. Each full run scans all
    templates and other objects that were created later.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()
