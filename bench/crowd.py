"""The load time of pages in a database of 20,000 duels, compared with a small database.

The time is measured for one reader and for fifty simultaneous readers. Each database has its own
site, as in production, and both are on one PostgreSQL server. Requests to the two sites alternate,
so that a disturbance affects both. `make bench` prints these figures with `FULL=1`;
`python -m bench.crowd home wizard` prints only these, for some of the pages.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from http.client import HTTPConnection
from statistics import median

from bench.output import Figure, print_figure
from bench.site import LOCALHOST, database_server, script_output, served_site, site_environment
from bench.sizes import FULL_SIZE, Crowd
from bench.timing import milliseconds
from tests.services import temporary_folder

PATIENCE_SECONDS = 120


@dataclass(frozen=True)
class CrowdedSite:
    """A running site with a filled database. `pages` maps names to the addresses to measure."""

    port: int
    session: str
    pages: dict[str, str]

    def milliseconds(self, name: str) -> float:
        """Return the time that one request for this page takes."""
        return milliseconds(partial(self._fetch, self.pages[name]))

    def _fetch(self, path: str) -> None:
        connection = HTTPConnection(LOCALHOST, self.port, timeout=PATIENCE_SECONDS)
        connection.request("GET", path, headers={"Cookie": f"sessionid={self.session}"})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        assert answer.status == 200, (path, answer.status)


def figures(crowd: Crowd, server: str, wanted: Sequence[str] = ()) -> Iterator[Figure]:
    """Yield all benchmark results, or only those for the given pages."""
    with ExitStack() as stack:
        started = time.perf_counter()
        sites = sites_of_both_sizes(
            stack, partial(crowded_site, server), crowd.small_duels, crowd.full_duels
        )
        yield "fill_seconds", time.perf_counter() - started, "s"
        readers = stack.enter_context(ThreadPoolExecutor(crowd.readers))

        def measure_alone(site: CrowdedSite, name: str) -> list[float]:
            return [site.milliseconds(name) for _ in range(-(-crowd.requests // crowd.rounds))]

        def measure_simultaneously(site: CrowdedSite, name: str) -> list[float]:
            return list(readers.map(site.milliseconds, [name] * crowd.readers))

        for name in wanted or sites["small"].pages:
            yield from comparison_figures(name, "", sites, measure_alone, crowd.rounds)
            yield from comparison_figures(
                name, "_at_once", sites, measure_simultaneously, crowd.rounds
            )


def sites_of_both_sizes(
    stack: ExitStack,
    start: Callable[[int], AbstractContextManager[CrowdedSite]],
    small: int,
    full: int,
) -> dict[str, CrowdedSite]:
    """Start a site for each number of duels, or one site if both numbers are the same."""
    started = {number: stack.enter_context(start(number)) for number in {small, full}}
    return {"small": started[small], "full": started[full]}


@contextmanager
def crowded_site(server: str, number: int) -> Iterator[CrowdedSite]:
    """Run a site with its own database of `number` duels."""
    with temporary_folder() as folder:
        template, told = filled_template(server, number)
        pages = dict(told)
        # nothing listens for emails there, so none is sent
        silence = "smtp://127.0.0.1:9"
        env = site_environment(
            folder, server, f"crowd_{number}", template=template, EMAIL_URL=silence
        )
        with served_site(env, "--workers=2") as port:
            yield CrowdedSite(port, pages.pop("session"), pages)


@cache
def filled_template(server: str, number: int) -> tuple[str, dict[str, str]]:
    """Fill a database with `number` duels, to be copied.

    Return its name, and a session key and the addresses of pages by name.
    """
    with temporary_folder() as folder:
        env = site_environment(folder, server, f"filled_{number}")
        told: dict[str, str] = json.loads(script_output(env, "bench.filling", number)[-1])
    return env["DATABASE_URL"].rpartition("/")[2], told


def comparison_figures(
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
    assert FULL_SIZE.crowd
    with database_server() as server:
        for figure in figures(FULL_SIZE.crowd, server, sys.argv[1:]):
            print_figure(*figure)
