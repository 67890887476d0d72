"""The database's clock, which all processes use for deadlines.

Each process compares its own clock with the database's when it starts and every hour
(`spellcaster.starting`). SQLite has no clock of its own, but all its processes run on the machine
that has the file.
"""

from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone

from duels.loaded.joined_rows import TIME

_difference = timedelta(0)  # last measured lead of the database's clock over this process's


def database_now() -> datetime:
    """Ask the database for the time."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute(TIME)
        (now,) = cursor.fetchone()
    assert isinstance(now, datetime)
    return now


def site_now() -> datetime:
    """Return the database's time without a query, based on the last measured difference."""
    return timezone.now() + _difference


def measure_clock_difference() -> timedelta:
    """Measure how far this process's clock is ahead of the database's. Negative: behind.

    The duration of the query does not count as a difference.
    """
    global _difference
    before = timezone.now()
    now = database_now()
    after = timezone.now()
    _difference = now - (before + (after - before) / 2)
    if before <= now <= after:
        return timedelta(0)
    return before - now if now < before else after - now
