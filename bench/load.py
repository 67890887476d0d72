"""The number of players that the site can serve, and the processor time of each of its parts.

    make load

Players duel over HTTP, and each of them thinks for five seconds (0 at the smallest size) before
they seal. For each turn, the time from its last seal until a player sees the next turn is measured.
The number of players grows until the 95th percentile of this time exceeds a second. The players run
on the same machine as the site and poll four times a second, far more often than browsers.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from bench import tasks
from bench.output import Figure, print_figure
from bench.sizes import FULL_SIZE, Load
from tests.faults import prepared_duels
from tests.faults.crowd import Crowd, time_figures
from tests.faults.ledger import Ledger
from tests.faults.players import Client
from tests.faults.site import SupervisedSite, supervised_site, wait_until

SLOW_SECONDS = 1.0
P95_FIGURE = "seal_to_turn_load_p95_s"
BARE_PAGE = "/bench/bare/"
SIMULTANEOUS_REQUESTS = 8  # simultaneous requests for the bare page
SITE_PARTS = ("web", "turns", "post", "postgresql", "redis")


def figures(load: Load) -> Iterator[Figure]:
    with supervised_site(settings="bench.load_settings", include="bench.tasks") as site:
        ledger = Ledger()
        crowd = Crowd(site, ledger, seed=1, pairs=max(load.players) // 2, think=load.think)
        yield from _bare_page_figures(site, load.repeats)
        run_tasks = partial(site.call, tasks.run_noop_tasks, load.repeats)
        yield from _cost_figures(site, "noop_task", load.repeats, run_tasks, "tasks")
        fast_enough = 0
        for number in load.players:
            crowd.start(number // 2)
            time.sleep(load.think)
            found = list(_crowd_figures(site, ledger, load.seconds))
            p95 = next(value for name, value, _ in found if name == P95_FIGURE)
            if p95 > SLOW_SECONDS:
                break
            fast_enough = number
        crowd.stop()
        yield from found
        yield "load_players", fast_enough, "players"


def _crowd_figures(site: SupervisedSite, ledger: Ledger, seconds: float) -> Iterator[Figure]:
    """Clear the ledger, then measure for this many seconds while the crowd plays."""
    before, started = _processor_seconds(site), time.perf_counter()
    ledger.waits, ledger.requests = [], 0
    time.sleep(seconds)
    wait_until(lambda: len(ledger.waits) > 1)
    seconds = time.perf_counter() - started
    used = {name: after - before[name] for name, after in _processor_seconds(site).items()}
    waits = [wait for _, wait in ledger.waits]
    yield from time_figures("load", waits)
    yield "load_requests_a_second", ledger.requests / seconds, "requests"
    for name, value in used.items():
        yield f"load_{name}_ms_a_turn", value * 1_000 / len(waits), "ms"


def _bare_page_figures(site: SupervisedSite, repeats: int) -> Iterator[Figure]:
    session = site.call(prepared_duels.make_players, ["Bare Page"])["Bare Page"]
    client = Client(site.url, session, Ledger())
    with ThreadPoolExecutor(SIMULTANEOUS_REQUESTS) as pool:
        fetch_all = partial(pool.map, client.get, [BARE_PAGE] * repeats)
        yield from _cost_figures(site, "bare_page", repeats, lambda: [*fetch_all()], "requests")


def _cost_figures(
    site: SupervisedSite, name: str, repeats: int, work: Callable[[], object], unit: str
) -> Iterator[Figure]:
    """Yield the rate and the processor time of `work`, which does something `repeats` times."""
    before, started = _processor_seconds(site), time.perf_counter()
    work()
    yield f"load_{name}s_a_second", repeats / (time.perf_counter() - started), unit
    used = sum(_processor_seconds(site).values()) - sum(before.values())
    yield f"load_{name}_ms", used * 1_000 / repeats, "ms"


def _processor_seconds(site: SupervisedSite) -> dict[str, float]:
    return {name: site.parts[name].processor_seconds() for name in SITE_PARTS}


if __name__ == "__main__":
    assert FULL_SIZE.load
    for figure in figures(FULL_SIZE.load):
        print_figure(*figure)
