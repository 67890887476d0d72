"""The load time of pages in a database of 20,000 duels, compared with a small database.

The time is measured for one reader and for fifty simultaneous readers. Each database has its own
site, as in production, and both are on one PostgreSQL server. Requests to the two sites alternate,
so that a disturbance affects both. `make bench` prints these figures with `FULL=1`;
`python -m bench.crowd home wizard` prints only these, for some of the pages.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection
from pathlib import Path
from statistics import median

from bench.output import Figure
from bench.site import database_server, new_database
from bench.sizes import Crowd
from tests.prepared import static_root
from tests.services import (
    ROOT,
    TEST_KEYS,
    accepts,
    clean_environment,
    free_port,
    running,
    temporary_folder,
)

PATIENCE_SECONDS = 120
HOST = "127.0.0.1"


@dataclass(frozen=True)
class CrowdedSite:
    """A running site with a filled database. `pages` maps names to the addresses to measure."""

    port: int
    session: str
    pages: dict[str, str]

    def milliseconds(self, name: str) -> float:
        """Return the time that one request for this page takes."""
        started = time.perf_counter()
        connection = HTTPConnection(HOST, self.port, timeout=PATIENCE_SECONDS)
        connection.request("GET", self.pages[name], headers={"Cookie": f"sessionid={self.session}"})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        assert answer.status == 200, (self.pages[name], answer.status)
        return (time.perf_counter() - started) * 1_000


def figures(crowd: Crowd, server: str, wanted: Sequence[str] = ()) -> Iterator[Figure]:
    """Yield every figure, or only those of the given pages."""
    with ExitStack() as stack:
        sites = {}
        for size, number in (("small", crowd.small_duels), ("full", crowd.full_duels)):
            started = time.perf_counter()
            sites[size] = stack.enter_context(crowded_site(server, size, number))
            yield f"fill_seconds_{size}", time.perf_counter() - started, "s"
        readers = stack.enter_context(ThreadPoolExecutor(crowd.readers))

        def alone(site: CrowdedSite, name: str) -> list[float]:
            return [site.milliseconds(name) for _ in range(-(-crowd.requests // crowd.rounds))]

        def at_once(site: CrowdedSite, name: str) -> list[float]:
            return list(readers.map(site.milliseconds, [name] * crowd.readers))

        for name in wanted or sites["small"].pages:
            yield from _comparison_figures(name, "", sites, alone, crowd.rounds)
            yield from _comparison_figures(name, "_at_once", sites, at_once, crowd.rounds)


@contextmanager
def crowded_site(server: str, name: str, number: int) -> Iterator[CrowdedSite]:
    """Run a site with its own database of this number of duels."""
    with temporary_folder() as folder:
        port = free_port()
        database, told = filled_database(server, f"crowd_{name}", number)
        env = clean_environment(
            ALLOWED_HOSTS=HOST,
            DATABASE_URL=database,
            EMAIL_URL="smtp://127.0.0.1:9",  # nothing listens there, so no email is sent
            HTTPS="off",
            STATIC_ROOT=str(static_root()),
            VAR_DIR=str(folder),
            **TEST_KEYS,
        )
        with running(
            [
                sys.executable,
                "-m",
                "gunicorn",
                "spellcaster.wsgi",
                f"--bind={HOST}:{port}",
                "--workers=2",
                "--threads=4",
            ],
            log=folder / "site.log",
            env=env,
            ready=lambda: accepts(port),
        ):
            pages = {page: path for page, path in told.items() if page != "session"}
            yield CrowdedSite(port, told["session"], pages)


def filled_database(server: str, name: str, number: int) -> tuple[str, dict[str, str]]:
    """Create a database of this number of duels.

    Return its address, and a session key and the addresses of pages by name.
    """
    template, told = _filled_template(server, number)
    return new_database(server, name, template=template), told


@cache
def _filled_template(server: str, number: int) -> tuple[str, dict[str, str]]:
    """Fill a database, and return its name and what `bench.filling` prints."""
    database = new_database(server, f"filled_{number}")
    with temporary_folder() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "bench.filling", str(number)],
            cwd=Path(ROOT),
            env=clean_environment(
                DATABASE_URL=database, HTTPS="off", VAR_DIR=str(folder), **TEST_KEYS
            ),
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    return database.rpartition("/")[2], json.loads(done.stdout.splitlines()[-1])


def _comparison_figures(
    name: str,
    suffix: str,
    sites: dict[str, CrowdedSite],
    measure: Callable[[CrowdedSite, str], list[float]],
    rounds: int,
) -> Iterator[Figure]:
    """Yield the median time on each site, and their ratio."""
    taken: dict[str, list[float]] = {size: [] for size in sites}
    for site in sites.values():
        measure(site, name)  # warm-up, not counted
    for _ in range(rounds):
        for size, site in sites.items():
            taken[size] += measure(site, name)
    medians = {size: median(each) for size, each in taken.items()}
    for size, value in medians.items():
        yield f"{name}{suffix}_ms_{size}", value, "ms"
    yield f"{name}{suffix}_full_ratio", medians["full"] / medians["small"], "times"


if __name__ == "__main__":
    from bench.output import print_figure
    from bench.sizes import FULL

    assert FULL.crowd
    with database_server() as server:
        for figure in figures(FULL.crowd, server, sys.argv[1:]):
            print_figure(*figure)
