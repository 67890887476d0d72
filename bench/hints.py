"""The response time after one change in an order sheet, which shows the gestures' effects."""

import time
from collections.abc import Iterator
from statistics import median

from django.test import Client

from bench.sizes import Size
from duels.models import Duel
from engine.gestures import PAIRS
from tests.cast import open_turn


def hint_figures(client: Client, duel: Duel, size: Size) -> Iterator[tuple[str, float, str]]:
    """Yield the median response times for new pairs of gestures and for cached pairs."""
    form = {"turn": str(open_turn(duel).ordinal), "form_seal": ""}
    path = f"/duels/{duel.pk}/sheet"
    pairs = PAIRS[: size.hint_pairs]
    yield "hint_ms", median(hint_milliseconds(client, path, form, pair) for pair in pairs), "ms"
    again = [pair for _ in range(size.hint_rounds) for pair in pairs]
    yield (
        "hint_ms_again",
        median(hint_milliseconds(client, path, form, pair) for pair in again),
        "ms",
    )


def hint_milliseconds(client: Client, path: str, form: dict[str, str], pair: str) -> float:
    fields = form | {"left": pair[0], "right": pair[1]}
    started = time.perf_counter()
    response = client.post(path, fields)
    taken = (time.perf_counter() - started) * 1_000
    assert response.status_code == 200, response
    return taken
