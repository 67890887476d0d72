"""The time from the last seal to the resolved turn, compared with a task that does nothing.

One Celery worker handles both tasks, with Redis and PostgreSQL. In both cases this process polls
until it sees the worker's result.
"""

import time
from collections.abc import Iterator
from statistics import median

from django.core.cache import cache
from django.db import connection, transaction

from bench import tasks
from bench.output import Figure
from bench.played import sample_duel, seal_turn
from bench.sizes import Size
from bench.timing import milliseconds, wait_until
from duels.delivery.nudging import send_task_after_commit
from duels.demonstration import SAMPLE_DUEL
from duels.models import Duel, OutboxStatus, Stage, Turn, Wizard
from duels.post.models import Notice
from duels.post.public import set_mail_choice
from tests.cast import NOW, open_turn, seal

# Turns per duel; in the seventh turn, a hand is forced, so the turn needs only one seal.
TURNS_PER_DUEL = 6
PATIENCE_SECONDS = 30
CHECK_INTERVAL_SECONDS = 0.000_5  # worker and database use the same two cores
SETTLING_SECONDS = 0.03  # enough time for a nudge that finds nothing to resolve


def figures(black: Wizard, white: Wizard, size: Size) -> Iterator[Figure]:
    """Yield the times of both tasks, and their ratio."""
    for wizard in (black, white):  # earlier measurements may have marked the players as present
        set_mail_choice(wizard=wizard, when="every", hour=8, though_here=True, now=NOW)
    seals: list[float] = []
    noops: list[float] = []
    for _ in range(size.worker_duels):  # the first duel is not counted: the worker loads code
        duel = sample_duel(black, white)
        Notice.objects.all().delete()
        for blacks, whites in SAMPLE_DUEL[:TURNS_PER_DUEL]:
            seal(duel, black, blacks)
            wait_until_idle()
            noops.append(milliseconds_of_noop_task(duel, len(noops)))
            seals.append(milliseconds_to_resolution(duel, white, whites))
            wait_until_idle()
    sealed, nothing = median(seals[TURNS_PER_DUEL:]), median(noops[TURNS_PER_DUEL:])
    yield "seal_to_resolved_ms", sealed, "ms"
    yield "noop_task_and_commit_ms", nothing, "ms"
    yield "seal_to_resolved_ratio", sealed / nothing, "times"


def milliseconds_to_resolution(duel: Duel, wizard: Wizard, fields: dict[str, str]) -> float:
    """Return the time from just before the last seal until the turn is resolved."""
    turn = open_turn(duel)

    def seal_and_wait() -> None:
        seal_turn(turn, wizard, fields)
        wait_until(lambda: is_resolved(turn), PATIENCE_SECONDS, CHECK_INTERVAL_SECONDS)

    return milliseconds(seal_and_wait)


def milliseconds_of_noop_task(duel: Duel, number: int) -> float:
    """Return the time to write a row, send a task on commit, and run the task."""
    key = tasks.noop_cache_key(number)

    def send_and_wait() -> None:
        with transaction.atomic():
            Duel.objects.filter(pk=duel.pk).update(words=f"noop {number}")
            send_task_after_commit(tasks.noop.name, number)
        wait_until(lambda: cache.get(key) is not None, PATIENCE_SECONDS, CHECK_INTERVAL_SECONDS)

    return milliseconds(send_and_wait)


def is_resolved(turn: Turn) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT stage FROM duels_turn WHERE id = %s", [turn.pk])
        row = cursor.fetchone()
    return row is not None and row[0] == Stage.RESOLVED


def wait_until_idle() -> None:
    """Wait until the worker has sent every email and run every task."""
    # the site drops a notice that is outdated when it is due
    unsent = Notice.objects.exclude(status__in=[OutboxStatus.SENT, OutboxStatus.DROPPED])
    wait_until(lambda: not unsent.exists(), PATIENCE_SECONDS)
    time.sleep(SETTLING_SECONDS)
