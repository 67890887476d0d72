"""Caches that all processes share: in Redis only, or in a database table while Redis is down.

Rate limits are stored in Django's default cache, which signing in, signing up and playing as a
guest all use. The limits must still work while Redis is down, so that nobody can lift them by
stopping Redis. Values in Redis are JSON, so a value planted by an attacker can be wrong but is
never executed.
"""

import json
import logging
import time
from collections.abc import Callable
from typing import Any, Final

from django.core.cache.backends import redis
from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.db import DatabaseCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

REDIS_RETRY_SECONDS: Final = 5  # seconds until Redis is tried again after a failure
CACHE_TABLE: Final = "shared_cache"
MAX_ROWS: Final = 100_000  # Django deletes expired rows if there are more


class JsonSerializer:
    """JSON serializer. Redis can increment the integers it stores. Tuples become lists."""

    def dumps(self, value: Any) -> int | str:
        return value if type(value) is int else json.dumps(value)

    def loads(self, data: bytes) -> Any:
        return json.loads(data)


class _Client(redis.RedisCacheClient):
    """Client with one connection object for each thread and server.

    Django creates a new one for every call, which takes ten times as many instructions as the call
    itself.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._clients: dict[bool, Any] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        if write not in self._clients:
            self._clients[write] = super().get_client(key, write=write)
        return self._clients[write]


class RedisCache(redis.RedisCache):
    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = _Client


def _method_with_fallback(name: str) -> Callable[..., Any]:
    """Return a method that uses Redis, or the database while Redis is down."""

    def method(self: "SharedCache", *arguments: Any, **named: Any) -> Any:
        if time.monotonic() >= _Backoff.until:
            try:
                return getattr(self.redis, name)(*arguments, **named)
            except RedisError as error:
                _Backoff.until = time.monotonic() + REDIS_RETRY_SECONDS
                logger.warning(
                    "Redis does not respond; using the database: %s", type(error).__name__
                )
        return getattr(self.table, name)(*arguments, **named)

    return method


class SharedCache(BaseCache):
    """A cache in Redis, with Django's cache in the database as its fallback."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self.redis = RedisCache(server, params)
        self.table = DatabaseCache(CACHE_TABLE, {**params, "max_entries": MAX_ROWS})

    get = _method_with_fallback("get")
    set = _method_with_fallback("set")
    add = _method_with_fallback("add")
    touch = _method_with_fallback("touch")
    delete = _method_with_fallback("delete")
    clear = _method_with_fallback("clear")


class _Backoff:
    """The time until which this process does not use Redis again after a failure."""

    until = 0.0
