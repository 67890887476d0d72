"""Response times of a duel's page, its polls, hints and picture, compared with a bare page.

The bare page loads only the session and its user.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from statistics import median

from django.test import Client
from django.test.utils import override_settings

from bench.output import Figure
from bench.sizes import Size
from bench.timing import milliseconds
from duels.caching import caches
from duels.caching.volatile import cache
from duels.models import Duel, Wizard
from duels.pictures import icons, lettering, painting
from engine.gestures import GESTURE_PAIRS
from tests.cast import open_turn

MEASURED_TURNS = (20, 200)
BARE_PAGE = "/bench/bare/"
PICTURE_CACHES = (lettering._font, lettering._text_mask, icons._sign_mask, painting.leaf)


def figures(black: Wizard, duels: Mapping[int, Duel], size: Size) -> Iterator[Figure]:
    """Yield all response times, for duels in which Black must seal, as Black sees them."""
    with override_settings(ROOT_URLCONF="bench.urls"):
        client = signed_in_client(black)
        for path in (BARE_PAGE, *map(duel_path, duels.values())):
            fetch_page(client, path)  # a process's first request also reads the templates
        yield from page_times(client, duels, size.page_requests)
        yield from poll_figures(client, duel_path(duels[20]), size.poll_requests)
        yield from hint_figures(client, duels[20], size)
        yield from picture_figures(client, duels[20], size.pictures)


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


def fetch_milliseconds(client: Client, path: str) -> float:
    return milliseconds(partial(fetch_page, client, path))


def page_times(client: Client, duels: Mapping[int, Duel], requests: int) -> Iterator[Figure]:
    """Yield the median times of pages, which alternate, and their ratios."""
    paths = {f"duel_page_ms_turn_{turn}": duel_path(duel) for turn, duel in duels.items()}
    paths["bare_page_ms"] = BARE_PAGE
    medians = median_milliseconds(client, paths, requests)
    for name, value in medians.items():
        yield name, value, "ms"
    yield "duel_page_ratio", medians["duel_page_ms_turn_20"] / medians["bare_page_ms"], "times"
    first = {"duel_page_ms_turn_20_first": duel_path(duels[20]), "bare": BARE_PAGE}
    medians = median_milliseconds(client, first, requests, caches.clear_all)
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


def quiet_poll(client: Client, page: str) -> Callable[[], object]:
    """Return a function that polls from this page and does not find any news.

    First it sends two polls: one marks the reader as present, and one reports this as news.
    """
    etag = ""
    for _ in range(2):
        etag = client.get(f"{page}poll", headers={"if-none-match": etag}).headers["ETag"]
    return partial(client.get, f"{page}poll", headers={"if-none-match": etag})


def poll_figures(client: Client, page: str, requests: int) -> Iterator[Figure]:
    """Yield the time of a poll that finds no news, and its ratio to the time of the bare page."""
    poll = quiet_poll(client, page)
    polls, bares = [], []
    for _ in range(requests):  # alternate the pages, so that a disturbance affects both
        polls.append(milliseconds(poll))
        bares.append(fetch_milliseconds(client, BARE_PAGE))
    yield "poll_ms", median(polls), "ms"
    yield "poll_ratio", median(polls) / median(bares), "times"


def hint_figures(client: Client, duel: Duel, size: Size) -> Iterator[Figure]:
    """Yield the response times of hints after a change, for new and cached gestures."""
    form = {"turn": str(open_turn(duel).ordinal), "form_seal": ""}

    def hint_milliseconds(pair: str) -> float:
        fields = form | {"left": pair[0], "right": pair[1]}
        started = time.perf_counter()
        response = client.post(f"{duel_path(duel)}sheet", fields)
        taken = (time.perf_counter() - started) * 1_000
        assert response.status_code == 200, response
        return taken

    pairs = GESTURE_PAIRS[: size.hint_pairs]
    yield "hint_ms", median(map(hint_milliseconds, pairs)), "ms"
    yield "hint_ms_again", median(map(hint_milliseconds, [*pairs] * size.hint_rounds)), "ms"


def picture_figures(client: Client, duel: Duel, pictures: int) -> Iterator[Figure]:
    """Yield the response times of a duel's picture when it is new, repeated and cached."""
    path = f"{duel_path(duel)}grid.png"

    def painting_milliseconds() -> float:
        cache.clear()
        return fetch_milliseconds(client, path)

    fetch_page(client, path)
    for kept in PICTURE_CACHES:
        kept.cache_clear()
    yield "picture_ms_first", painting_milliseconds(), "ms"
    yield "picture_ms", median(painting_milliseconds() for _ in range(pictures)), "ms"
    yield "picture_ms_kept", median(fetch_milliseconds(client, path) for _ in range(pictures)), "ms"
    yield "picture_bytes", len(fetch_page(client, path)), "bytes"
