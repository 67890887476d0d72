"""Rare runs of the garbage collector, which would otherwise take a fifth of a test run."""

import gc


def pause() -> None:
    """Turn the garbage collector off, until all tests are collected."""
    gc.disable()


def resume_rarely() -> None:
    """Turn the garbage collector on, for rare runs.

    It does not scan what exists already, since modules and tests are never freed. Each full run
    scans all templates and whatever else has been loaded since.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()
