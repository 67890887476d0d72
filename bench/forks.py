"""Pieces of work in processes of their own, whose instructions `bench.valgrind` counts.

They share one slow start under valgrind, because each process is forked from the one that has set
everything up. This module imports nothing of the project: it also runs with older engines.
"""

import os
import sys
import traceback
from collections.abc import Callable


def nothing() -> None:
    """There is nothing to prepare."""


def count(
    name: str, work: Callable[[], object], *, prepare: Callable[[], object] = nothing
) -> None:
    """Print the name of this piece of work, and the ids of two processes.

    One only prepares, the other prepares and works: their difference is what the work costs.
    """
    print(name, _forked(prepare), _forked(prepare, work), flush=True)


def _forked(*steps: Callable[[], object]) -> int:
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        failed = 1
        try:
            for step in steps:
                step()
            failed = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(failed)
    _, status = os.waitpid(child, 0)
    if status:
        raise SystemExit("A piece of work failed.")
    return child
