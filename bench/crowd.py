"""What pages cost at 20,000 duels (400,000 turns), beside the same pages in a small database, for
one reader and for fifty at once.

Each database has a site of its own, as production serves it, on one PostgreSQL server. The two are
asked in turns, so that what disturbs one disturbs the other. `make bench` prints it with `FULL=1`;
alone, and for some of the pages: `python -m bench.crowd home wizard`.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from statistics import median

from tests.prepared import migrated_postgresql, new_postgresql, static_root
from tests.services import (
    ROOT,
    TEST_KEYS,
    accepts,
    clean_environment,
    free_port,
    missing_programs,
    postgresql,
    running,
    temporary_folder,
)

SIZES = {"small": 700, "full": 20_000}  # duels
ALONE = 25  # requests for each page and size, one after the other
READERS = 50
ROUNDS = 3  # requests of each reader for each page and size
PATIENCE_SECONDS = 120
HOST = "127.0.0.1"

Figure = tuple[str, float, str]


@dataclass(frozen=True)
class CrowdedSite:
    """A site whose database is filled."""

    port: int
    session: str
    pages: dict[str, str]

    def milliseconds(self, name: str) -> float:
        """How long one request for this page takes."""
        started = time.perf_counter()
        connection = HTTPConnection(HOST, self.port, timeout=PATIENCE_SECONDS)
        connection.request("GET", self.pages[name], headers={"Cookie": f"sessionid={self.session}"})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        assert answer.status == 200, (self.pages[name], answer.status)
        return (time.perf_counter() - started) * 1_000


def figures(wanted: Sequence[str] = ()) -> Iterator[Figure]:
    """Every figure, or those of the wanted pages, as name, value, unit; none without PostgreSQL."""
    missing = missing_programs()
    if "PostgreSQL" in missing:
        print(
            f"PostgreSQL is not installed; the Debian package {missing['PostgreSQL']} brings it. "
            "Nothing is measured at 20,000 duels without it.",
            file=sys.stderr,
        )
        return
    with ExitStack() as stack:
        server = stack.enter_context(postgresql())
        sites = {}
        for size, number in SIZES.items():
            started = time.perf_counter()
            sites[size] = stack.enter_context(crowded_site(server, size, number))
            yield f"fill_seconds_{size}", time.perf_counter() - started, "s"
        for name in wanted or sites["small"].pages:
            yield from _compared(name, "", sites, _alone)
            yield from _compared(name, f"_{READERS}_at_once", sites, _at_once)


@contextmanager
def crowded_site(server: str, name: str, number: int) -> Iterator[CrowdedSite]:
    """A site with so many duels in a database of its own."""
    template = migrated_postgresql(server)
    with temporary_folder() as folder:
        port = free_port()
        env = clean_environment(
            ALLOWED_HOSTS=f"testserver,{HOST}",
            DATABASE_URL=new_postgresql(server, f"crowd_{name}", template=template),
            HTTPS="off",
            STATIC_ROOT=str(static_root()),
            VAR_DIR=str(folder),
            **TEST_KEYS,
        )
        told = filled(env, number)
        with running(
            [
                *(sys.executable, "-m", "gunicorn", "spellcaster.wsgi"),
                *(f"--bind={HOST}:{port}", "--workers=2", "--threads=4"),
            ],
            log=folder / "site.log",
            env=env,
            ready=lambda: accepts(port),
        ):
            session = told.pop("session")
            yield CrowdedSite(port, session, told)


def filled(env: dict[str, str], number: int) -> dict[str, str]:
    """Fills the database of this environment with so many duels; where to look in it."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.filling", str(number)],
        cwd=Path(ROOT),
        env=env,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    told: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return told


def _compared(
    name: str,
    suffix: str,
    sites: dict[str, CrowdedSite],
    measure: Callable[[CrowdedSite, str], list[float]],
) -> Iterator[Figure]:
    """The medians on both, and the full one beside the small one."""
    taken: dict[str, list[float]] = {size: [] for size in sites}
    for site in sites.values():
        measure(site, name)  # what a process does once is not counted
    for _ in range(ROUNDS):
        for size, site in sites.items():
            taken[size] += measure(site, name)
    medians = {size: median(each) for size, each in taken.items()}
    for size, value in medians.items():
        yield f"{name}{suffix}_ms_{size}", value, "ms"
    yield f"{name}{suffix}_full_ratio", medians["full"] / medians["small"], "times"


def _alone(site: CrowdedSite, name: str) -> list[float]:
    return [site.milliseconds(name) for _ in range(-(-ALONE // ROUNDS))]


def _at_once(site: CrowdedSite, name: str) -> list[float]:
    with ThreadPoolExecutor(READERS) as readers:
        return list(readers.map(site.milliseconds, [name] * READERS))


if __name__ == "__main__":
    from bench.__main__ import say

    for figure in figures(sys.argv[1:]):
        say(*figure)
