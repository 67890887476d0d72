"""The database's clock, which all processes use for deadlines.

Each process compares its own clock with the database's clock when it starts, and then every hour
(`spellcaster.startup`). SQLite has no clock of its own, but all its processes run on the same
machine.
"""

from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone

from duels.loaded.joined_rows import TIME_SQL

_difference = timedelta(0)  # database time minus process time, as last measured


def database_now() -> datetime:
    """Return the time of the database's clock, with a query."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute(TIME_SQL)
        (now,) = cursor.fetchone()
    assert isinstance(now, datetime)
    return now


def site_now() -> datetime:
    """Return the database's time without a query, from the last measured difference."""
    return timezone.now() + _difference


def measure_clock_difference() -> timedelta:
    """Measure how far this process's clock is ahead of the database's clock.

    The result is negative if this process's clock is behind. It does not include the duration of
    the query.
    """
    global _difference
    before = timezone.now()
    now = database_now()
    after = timezone.now()
    _difference = now - (before + (after - before) / 2)
    if before <= now <= after:
        return timedelta(0)
    return before - now if now < before else after - now
