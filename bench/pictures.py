"""The response time of pictures for share links: a process's first, later and cached pictures."""

import time
from collections.abc import Iterator
from statistics import median

from django.test import Client

from bench.sizes import Size
from duels.caching.volatile import cache
from duels.models import Duel
from duels.pictures import lettering, painting, stamps

DRAWN_WITH = (lettering._font, lettering._text_mask, stamps._sign_mask, painting.leaf)


def picture_figures(client: Client, duel: Duel, size: Size) -> Iterator[tuple[str, float, str]]:
    """Yield the response times for the duel's picture, including all queries."""
    path = f"/duels/{duel.pk}/grid.png"
    fetching_milliseconds(client, path)
    for kept in DRAWN_WITH:
        kept.cache_clear()
    yield "picture_ms_first", painting_milliseconds(client, path), "ms"
    yield (
        "picture_ms",
        median(painting_milliseconds(client, path) for _ in range(size.pictures)),
        "ms",
    )
    yield (
        "picture_ms_kept",
        median(fetching_milliseconds(client, path) for _ in range(size.pictures)),
        "ms",
    )
    yield "picture_bytes", len(client.get(path).content), "bytes"


def painting_milliseconds(client: Client, path: str) -> float:
    """Return the time to draw one picture that is not cached, in milliseconds."""
    cache.clear()
    return fetching_milliseconds(client, path)


def fetching_milliseconds(client: Client, path: str) -> float:
    started = time.perf_counter()
    response = client.get(path)
    assert response.status_code == 200, response
    return (time.perf_counter() - started) * 1_000
