"""The response time of a poll that finds no news, as an open page sends it every few seconds."""

import time
from collections.abc import Iterator
from statistics import median

from django.test import Client

from bench.output import Figure
from bench.sizes import Size


def poll_figures(client: Client, page: str, bare: str, size: Size) -> Iterator[Figure]:
    """Yield the time of one poll for the duel at `page`, and a ratio.

    The ratio compares that time with `bare`, a page that only loads the session and its user.
    """
    address = f"{page}poll"
    etag = client.get(address).headers["ETag"]
    etag = _etag_of_poll(client, address, etag)  # the first poll marks the reader as present
    polls, bares = [], []
    for _ in range(size.poll_requests):  # alternate the pages, so that a disturbance affects both
        started = time.perf_counter()
        _etag_of_poll(client, address, etag)
        between = time.perf_counter()
        client.get(bare)
        polls.append((between - started) * 1_000)
        bares.append((time.perf_counter() - between) * 1_000)
    yield "poll_ms", median(polls), "ms"
    yield "poll_ratio", median(polls) / median(bares), "times"


def _etag_of_poll(client: Client, address: str, etag: str) -> str:
    answer = client.get(address, headers={"if-none-match": etag})
    assert answer.status_code in (200, 304), answer
    return answer.headers["ETag"]
