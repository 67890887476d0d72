"""The cache for data that may be lost at any time, such as polls, pictures and silent servers.

Code that uses this cache must also work while Redis does not answer and calls raise
`redis.exceptions.RedisError`. Values are stored as JSON. Rate limits need a more reliable store, so
their counts are in Django's default cache, which uses the database while Redis is down
(`spellcaster.shared_cache`).
"""

from collections.abc import Callable
from typing import Any

from django.core.cache import BaseCache, caches
from django.utils.connection import ConnectionProxy
from redis.exceptions import RedisError

cache: BaseCache = ConnectionProxy(caches, "volatile")  # type: ignore[assignment]  # a proxy for it


def cached_value(key: str, make_value: Callable[[], Any], seconds: int) -> Any:
    """Return the cached value of this key, or make it and store it for this many seconds."""
    try:
        return cache.get_or_set(key, make_value, seconds)
    except RedisError:
        return make_value()
