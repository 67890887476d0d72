"""What it costs to say what a choice of gestures comes to: the answer to one change in a sheet."""

import time
from collections.abc import Iterator
from itertools import cycle, islice
from statistics import median

from django.test import Client

from duels.models import Duel
from engine.gestures import PAIRS
from tests.cast import open_turn

CHOICES = 256


def hint_figures(client: Client, duel: Duel) -> Iterator[tuple[str, float, str]]:
    """The median over all pairs of gestures, so that what a process keeps helps as in play."""
    form = {"turn": str(open_turn(duel).ordinal), "form_seal": ""}
    path = f"/duels/{duel.pk}/sheet"
    taken = [answered(client, path, form, pair) for pair in islice(cycle(PAIRS), CHOICES)]
    yield "hint_ms", median(taken[: len(PAIRS)]), "ms"
    yield "hint_ms_again", median(taken[len(PAIRS) :]), "ms"


def answered(client: Client, path: str, form: dict[str, str], pair: str) -> float:
    fields = form | {"left": pair[0], "right": pair[1]}
    started = time.perf_counter()
    response = client.post(path, fields)
    taken = (time.perf_counter() - started) * 1_000
    assert response.status_code == 200, response
    return taken
