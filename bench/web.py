"""Load time of a duel's page, compared with a page that loads only the session and the user."""

import time
from collections.abc import Callable, Iterator, Mapping
from statistics import median

from django.test import Client
from django.test.utils import override_settings

from bench.hints import hint_figures
from bench.output import Figure
from bench.pictures import picture_figures
from bench.polls import poll_figures
from bench.sizes import Size
from duels.caching import caches
from duels.models import Duel, Wizard

TURNS = (20, 200)
BARE = "/bench/bare/"


def figures(black: Wizard, duels: Mapping[int, Duel], size: Size) -> Iterator[Figure]:
    """Yield the load times of all pages.

    The pages show duels in which Black must seal, as Black sees them.
    """
    with override_settings(ROOT_URLCONF="bench.urls"):
        client = signed_in_client(black)
        for path in (BARE, *map(duel_path, duels.values())):
            fetch_page(client, path)  # a process's first request also reads the templates
        yield from page_times(client, duels, size.page_requests)
        yield from poll_figures(client, duel_path(duels[20]), BARE, size)
        yield from hint_figures(client, duels[20], size)
        yield from picture_figures(client, duels[20], size)


def signed_in_client(wizard: Wizard) -> Client:
    client = Client()
    user = wizard.user
    assert user is not None
    client.force_login(user)
    return client


def duel_path(duel: Duel) -> str:
    return f"/duels/{duel.pk}/"


def fetch_page(client: Client, path: str, **headers: str) -> bytes:
    response = client.get(path, headers=headers)
    assert response.status_code == 200, response
    return response.content


def page_times(client: Client, duels: Mapping[int, Duel], requests: int) -> Iterator[Figure]:
    """Yield the median times of pages, and their ratios.

    The pages alternate, so that a disturbance affects all of them.
    """
    paths = {f"duel_page_ms_turn_{turn}": duel_path(duel) for turn, duel in duels.items()}
    paths["bare_page_ms"] = BARE
    medians = median_milliseconds(client, paths, requests)
    for name, value in medians.items():
        yield name, value, "ms"
    yield "duel_page_ratio", medians["duel_page_ms_turn_20"] / medians["bare_page_ms"], "times"
    first = {"duel_page_ms_turn_20_first": duel_path(duels[20]), "bare": BARE}
    medians = median_milliseconds(client, first, requests, clear_caches)
    yield "duel_page_ms_turn_20_first", medians["duel_page_ms_turn_20_first"], "ms"
    yield "duel_page_ratio_cold", medians["duel_page_ms_turn_20_first"] / medians["bare"], "times"


def median_milliseconds(
    client: Client,
    paths: dict[str, str],
    requests: int,
    prepare: Callable[[], object] = lambda: None,
) -> dict[str, float]:
    taken: dict[str, list[float]] = {name: [] for name in paths}
    for _ in range(requests):
        for name, path in paths.items():
            prepare()
            taken[name].append(fetch_milliseconds(client, path))
    return {name: median(each) for name, each in taken.items()}


def clear_caches() -> None:
    """Clear every cache, so that the process is like one that has not shown a duel yet."""
    caches.clear_all()


def fetch_milliseconds(client: Client, path: str) -> float:
    started = time.perf_counter()
    fetch_page(client, path)
    return (time.perf_counter() - started) * 1_000
