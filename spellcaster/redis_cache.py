"""Django's cache in Redis, with one client object for each thread and server.

Django creates a new client for every call, which takes ten times as many instructions as the call
itself.
"""

from typing import Any

from django.core.cache.backends import redis


class _Client(redis.RedisCacheClient):
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
