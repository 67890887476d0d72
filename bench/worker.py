"""The time from the last seal to the resolved turn, compared with a task that does nothing.

Both go through one Celery worker, with Redis and PostgreSQL. Both are observed in the same way:
this process polls for the worker's result.
"""

import time
from collections.abc import Callable, Iterator
from statistics import median

from django.core.cache import cache
from django.db import connection, transaction

from bench import tasks
from bench.output import Figure
from bench.played import sample_duel, seal_turn
from bench.sizes import Size
from duels.demonstration import SAMPLE_DUEL
from duels.models import Duel, OutboxStatus, Stage, Turn, Wizard
from duels.nudging import nudge_after_commit
from duels.post.models import Notice
from duels.post.public import set_mail_choice
from tests.cast import NOW, open_turn, seal

TURNS = 6  # of each duel: in the seventh a wizard is forced, and the turn waits for one seal only
PATIENCE_SECONDS = 30
BETWEEN_LOOKS = 0.000_5  # seconds; the worker and the database need the two cores too
SETTLED_SECONDS = 0.03  # for a nudge that finds nothing to resolve


def figures(black: Wizard, white: Wizard, size: Size) -> Iterator[Figure]:
    """Yield every figure of the worker."""
    for wizard in (black, white):  # they may count as present after earlier measurements
        set_mail_choice(wizard=wizard, when="every", hour=8, though_here=True, now=NOW)
    seals: list[float] = []
    noops: list[float] = []
    for _ in range(size.worker_duels):  # the first is not counted: it loads code
        duel = sample_duel(black, white)
        Notice.objects.all().delete()
        for blacks, whites in SAMPLE_DUEL[:TURNS]:
            seal(duel, black, blacks)
            settle()
            noops.append(noop_and_commit(duel, len(noops)))
            seals.append(seal_to_resolved(duel, white, whites))
            settle()
    sealed, nothing = median(seals[TURNS:]), median(noops[TURNS:])
    yield "seal_to_resolved_ms", sealed, "ms"
    yield "noop_task_and_commit_ms", nothing, "ms"
    yield "seal_to_resolved_ratio", sealed / nothing, "times"


def seal_to_resolved(duel: Duel, wizard: Wizard, fields: dict[str, str]) -> float:
    """Return the time from just before the last seal until the turn is resolved."""
    turn = open_turn(duel)
    started = time.perf_counter()
    seal_turn(turn, wizard, fields)
    wait_until(lambda: is_resolved(turn))
    return (time.perf_counter() - started) * 1_000


def noop_and_commit(duel: Duel, number: int) -> float:
    """Return the time to write a row, send a task on commit, and see that it has run."""
    started = time.perf_counter()
    with transaction.atomic():
        Duel.objects.filter(pk=duel.pk).update(words=f"noop {number}")
        nudge_after_commit(tasks.noop.name, number)
    wait_until(lambda: cache.get(tasks.mark(number)) is not None)
    return (time.perf_counter() - started) * 1_000


def is_resolved(turn: Turn) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT stage FROM duels_turn WHERE id = %s", [turn.pk])
        row = cursor.fetchone()
    return row is not None and row[0] == Stage.RESOLVED


def wait_until(seen: Callable[[], bool]) -> None:
    give_up = time.monotonic() + PATIENCE_SECONDS
    while not seen():
        if time.monotonic() > give_up:
            raise RuntimeError("The worker does not answer.")
        time.sleep(BETWEEN_LOOKS)


def settle() -> None:
    """Wait until every email is sent and every nudge is handled, so that the worker is idle."""
    # Notices that are out of date when they are due are dropped.
    unsent = Notice.objects.exclude(status__in=[OutboxStatus.SENT, OutboxStatus.DROPPED])
    while unsent.exists():
        time.sleep(0.01)
    time.sleep(SETTLED_SECONDS)
