"""Pieces of work in separate processes, whose instructions `bench.valgrind` counts.

Each process is forked from one that has set everything up, so that the slow start under valgrind
happens only once. This module imports nothing from the project, because it also runs with older
engines.
"""

import os
import sys
import traceback
from collections.abc import Callable


def nothing() -> None:
    """Do nothing, if a piece of work needs no preparation."""


def count(
    name: str, work: Callable[[], object], *, prepare: Callable[[], object] = nothing
) -> None:
    """Print the name of this piece of work, and the ids of two processes.

    One only prepares, and the other prepares and works. The difference is the cost of the work.
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
