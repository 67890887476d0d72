"""The duration of a sweep of 50,000 duels (1,000,000 turns) with 0, 100 and 10,000 due deadlines.

    python -m bench.deadlines

fills a new PostgreSQL database, and sweeps it until no deadline is due. `make bench` prints
these figures with `FULL=1`.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from bench.crowd import filled_database
from bench.output import Figure
from bench.site import database_server
from bench.sizes import Deadlines
from tests.services import (
    ROOT,
    TEST_KEYS,
    clean_environment,
    temporary_folder,
)


def figures(deadlines: Deadlines, server: str) -> Iterator[Figure]:
    """Yield the figures named `sweep_ms_…_due`."""
    with temporary_folder() as folder:
        env = clean_environment(
            DATABASE_URL=filled_database(server, "deadlines", deadlines.duels)[0],
            HTTPS="off",
            VAR_DIR=str(folder),
            **TEST_KEYS,
        )
        done = subprocess.run(
            [sys.executable, "-m", "bench.sweeps", *map(str, deadlines.due)],
            cwd=Path(ROOT),
            env=env,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    for line in done.stdout.splitlines():
        due, milliseconds = line.split()
        yield f"sweep_ms_{due}_due", float(milliseconds), "ms"


if __name__ == "__main__":
    from bench.output import print_figure
    from bench.sizes import FULL

    assert FULL.deadlines
    with database_server() as server:
        for figure in figures(FULL.deadlines, server):
            print_figure(*figure)
