"""A task that does nothing, to measure the cost of sending a task."""

from celery import shared_task
from django.core.cache import cache

from bench.timing import wait_until

PATIENCE_SECONDS = 120


@shared_task
def noop(number: int) -> None:
    """Record in the cache, but not in the database, that this task has run."""
    cache.set(noop_cache_key(number), number)


def noop_cache_key(number: int) -> str:
    return f"bench-noop-{number}"


def run_noop_tasks(number: int) -> None:
    """Send `number` tasks, and wait until all have run."""
    for each in range(number):
        noop.delay(each)
    keys = [noop_cache_key(each) for each in range(number)]
    wait_until(lambda: len(cache.get_many(keys)) == number, PATIENCE_SECONDS, 0.02)
