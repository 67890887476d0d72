"""Servers that have not answered, and are therefore not tried for a while.

Otherwise every queued message would wait for the server's timeout and use up its attempts. If the
cache does not answer, servers are tried.
"""

from datetime import datetime, timedelta
from typing import Final

from redis.exceptions import RedisError

from duels.caching.volatile import cache

BACKOFF: Final = timedelta(minutes=1)


def silent_until(server: str, now: datetime) -> datetime | None:
    """Return the time until which the server is not tried, or None if it can be tried now."""
    try:
        known: str | None = cache.get(_silence_key(server))
    except RedisError:
        return None
    until = datetime.fromisoformat(known) if known else None
    return until if until and until > now else None


def record_silence(server: str, now: datetime) -> None:
    """Stop trying the server for a while."""
    try:
        cache.set(_silence_key(server), (now + BACKOFF).isoformat(), BACKOFF.total_seconds())
    except RedisError:
        return  # the next message tries the server again


def _silence_key(server: str) -> str:
    return f"silent-until:{server}"
