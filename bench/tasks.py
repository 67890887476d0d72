"""A task that does nothing, to measure the cost of sending one."""

from celery import shared_task
from django.core.cache import cache


@shared_task
def noop(number: int) -> None:
    """Record in the cache that this task has run.

    The task does not use the database, so nothing is committed.
    """
    cache.set(noop_cache_key(number), number)


def noop_cache_key(number: int) -> str:
    return f"bench-noop-{number}"
