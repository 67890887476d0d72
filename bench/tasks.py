"""A task that does nothing, to see what sending one costs."""

from celery import shared_task
from django.core.cache import cache


@shared_task
def noop(number: int) -> None:
    """Leaves a mark that it has run, outside the database: nothing is committed here."""
    cache.set(mark(number), number)


def mark(number: int) -> str:
    return f"bench-noop-{number}"
