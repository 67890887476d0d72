"""The cache for data that may be lost at any time, such as polls, pictures and silent servers.

Code that uses it must also work if it does not answer (`redis.exceptions.RedisError`). It stores
JSON. Counts of rate limits, which must be safer, are in Django's default cache, which uses the
database while Redis is down (`spellcaster.shared_cache`).
"""

from collections.abc import Callable
from typing import Any

from django.core.cache import BaseCache, caches
from django.utils.connection import ConnectionProxy
from redis.exceptions import RedisError

cache: BaseCache = ConnectionProxy(caches, "volatile")  # type: ignore[assignment]  # it acts as one


def cached_value(key: str, make_value: Callable[[], Any], seconds: int) -> Any:
    """Return the value of this key from the cache, or make it and store it for this time."""
    try:
        return cache.get_or_set(key, make_value, seconds)
    except RedisError:
        return make_value()
