"""The duration of a sweep of 50,000 duels (1,000,000 turns) with 0, 100 and 10,000 due deadlines.

    python -m bench.deadlines

This command fills a new PostgreSQL database, and sweeps it until no deadline is due. `make bench`
prints these figures with `FULL=1`.
"""

from collections.abc import Iterator

from bench.crowd import filled_template
from bench.output import Figure, print_figure
from bench.site import database_server, script_output, site_environment
from bench.sizes import FULL_SIZE, Deadlines
from tests.services import temporary_folder


def figures(deadlines: Deadlines, server: str) -> Iterator[Figure]:
    """Yield the figures named `sweep_ms_…_due`."""
    with temporary_folder() as folder:
        template, _ = filled_template(server, deadlines.duels)
        env = site_environment(folder, server, "deadlines", template=template)
        lines = script_output(env, "bench.sweeps", *deadlines.due)
    for line in lines:
        due, milliseconds = line.split()
        yield f"sweep_ms_{due}_due", float(milliseconds), "ms"


if __name__ == "__main__":
    assert FULL_SIZE.deadlines
    with database_server() as server:
        for figure in figures(FULL_SIZE.deadlines, server):
            print_figure(*figure)
