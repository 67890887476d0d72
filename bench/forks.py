"""Separate processes for pieces of work, so that `bench.valgrind` can count their instructions.

All of these processes are forked from one process that has set everything up, so there is only one
slow start under valgrind. This module does not import anything from the project, because it also
runs with older engines.
"""

import os
import sys
import traceback
from collections.abc import Callable


def run_in_counted_processes(
    name: str, work: Callable[[], object], *, prepare: Callable[[], object] = lambda: None
) -> None:
    """Run this piece of work in two processes, and print its name and their process ids.

    The first process only prepares; the second prepares and works. The difference between their
    counts is the cost of the work.
    """
    print(name, _fork_and_wait(prepare), _fork_and_wait(prepare, work), flush=True)


def _fork_and_wait(*steps: Callable[[], object]) -> int:
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
