"""What a duel's page costs: in queries, bytes and time, beside a page that does nothing."""

import time
from collections.abc import Callable, Iterator
from statistics import median

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings

from bench.hints import hint_figures
from bench.pictures import picture_figures
from bench.played import duel_at
from bench.polls import poll_figures
from duels import caches
from duels.models import Duel, Wizard

REQUESTS = 200
TURNS = (20, 200)
BARE = "/bench/bare/"
Figure = tuple[str, float, str]


def figures(black: Wizard, white: Wizard) -> Iterator[Figure]:
    """Every figure of the pages as name, value, unit. Black looks at duels that wait for Black."""
    duels = {turn: duel_at(turn, black, white) for turn in TURNS}
    with override_settings(ROOT_URLCONF="bench.urls"):
        client = signed_in(black)
        for path in (BARE, *map(page_of, duels.values())):
            fetched(client, path)  # the first of a process also reads the templates
        for turn, duel in duels.items():
            yield f"duel_page_queries_turn_{turn}", queries_of(client, page_of(duel)), "queries"
        for turn, duel in duels.items():
            body = fetched(client, page_of(duel))
            yield f"duel_page_bytes_turn_{turn}", len(body), "bytes"
            if turn == TURNS[0]:
                yield "duel_page_html_bytes", len(body), "bytes"
        yield from times(client, duels)
        yield from poll_figures(client, page_of(duels[20]), BARE)
        yield from hint_figures(client, duels[20])
        yield from picture_figures(client, duels[20])


def signed_in(wizard: Wizard) -> Client:
    client = Client()
    user = wizard.user
    assert user is not None
    client.force_login(user)
    return client


def page_of(duel: Duel) -> str:
    return f"/duels/{duel.pk}/"


def fetched(client: Client, path: str, **headers: str) -> bytes:
    response = client.get(path, headers=headers)
    assert response.status_code == 200, response
    return response.content


def queries_of(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        fetched(client, path)
    return len(captured)


def times(client: Client, duels: dict[int, Duel]) -> Iterator[Figure]:
    """Medians. The pages take turns, so that what disturbs one disturbs the others."""
    paths = {f"duel_page_ms_turn_{turn}": page_of(duel) for turn, duel in duels.items()}
    paths["bare_page_ms"] = BARE
    medians = medians_of(client, paths)
    for name, value in medians.items():
        yield name, value, "ms"
    yield "duel_page_ratio", medians["duel_page_ms_turn_20"] / medians["bare_page_ms"], "times"
    first = {"duel_page_ms_turn_20_first": page_of(duels[20]), "bare": BARE}
    medians = medians_of(client, first, forget)
    yield "duel_page_ms_turn_20_first", medians["duel_page_ms_turn_20_first"], "ms"
    yield "duel_page_ratio_cold", medians["duel_page_ms_turn_20_first"] / medians["bare"], "times"


def medians_of(
    client: Client, paths: dict[str, str], before: Callable[[], object] = lambda: None
) -> dict[str, float]:
    taken: dict[str, list[float]] = {name: [] for name in paths}
    for _ in range(REQUESTS):
        for name, path in paths.items():
            before()
            taken[name].append(milliseconds(client, path))
    return {name: median(each) for name, each in taken.items()}


def forget() -> None:
    """As in a process that has not shown a duel before: every cache of ours is empty."""
    caches.clear_all()


def milliseconds(client: Client, path: str) -> float:
    started = time.perf_counter()
    fetched(client, path)
    return (time.perf_counter() - started) * 1_000
