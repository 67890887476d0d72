"""A record of servers that did not answer, so that the site does not contact them for a while.

Without it, every queued message would wait for a timeout and use up one of its attempts. If the
cache does not answer, no server is skipped.
"""

from datetime import datetime, timedelta
from typing import Final

from redis.exceptions import RedisError

from duels.caching.volatile import cache

BACKOFF: Final = timedelta(minutes=1)


def silent_until(server: str, now: datetime) -> datetime | None:
    """Return the time until which to skip this server, or None to try it now."""
    try:
        known: str | None = cache.get(f"silent-until:{server}")
    except RedisError:
        return None
    until = datetime.fromisoformat(known) if known else None
    return until if until and until > now else None


def record_silence(server: str, now: datetime) -> None:
    """Record that the server did not answer, so that it is skipped for `BACKOFF`."""
    try:
        cache.set(f"silent-until:{server}", (now + BACKOFF).isoformat(), BACKOFF.total_seconds())
    except RedisError:
        return  # the next message tries the server again
