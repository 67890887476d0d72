"""What a sweep costs with 0, 100 and 10,000 deadlines due among 50,000 duels (1,000,000 turns).

    python -m bench.deadlines

fills a PostgreSQL database of its own and sweeps it until nothing is due. `make bench` prints it
with `FULL=1`.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from bench.crowd import Figure, filled
from tests.prepared import migrated_postgresql, new_postgresql
from tests.services import (
    ROOT,
    TEST_KEYS,
    clean_environment,
    missing_programs,
    postgresql,
    temporary_folder,
)

DUELS = 50_000
DUE = (0, 100, 10_000)


def figures() -> Iterator[Figure]:
    """`sweep_ms_…_due`, as name, value, unit; none without PostgreSQL."""
    missing = missing_programs()
    if "PostgreSQL" in missing:
        print(
            f"PostgreSQL is not installed; the Debian package {missing['PostgreSQL']} brings it. "
            "sweep_ms is not measured without it.",
            file=sys.stderr,
        )
        return
    with postgresql() as server, temporary_folder() as folder:
        template = migrated_postgresql(server)
        env = clean_environment(
            DATABASE_URL=new_postgresql(server, "deadlines", template=template),
            HTTPS="off",
            VAR_DIR=str(folder),
            **TEST_KEYS,
        )
        filled(env, DUELS)
        done = subprocess.run(
            [sys.executable, "-m", "bench.sweeps", *map(str, DUE)],
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
    from bench.__main__ import say

    for figure in figures():
        say(*figure)
