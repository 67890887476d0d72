"""A cache that all processes share, in Redis or, while Redis is down, in database rows.

Rate limits are stored in Django's default cache, which signing in, signing up and playing as a
guest all use. The limits must not fail when Redis does, and nobody may lift them by stopping Redis.
All values are stored as JSON, so a value planted by an attacker can be wrong but never runs as
code.
"""

import json
import logging
import time
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, TypeVar

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.redis import RedisCache
from django.db.models import QuerySet
from django.utils import timezone
from redis.exceptions import RedisError

if TYPE_CHECKING:
    from duels.models import CachedValue

logger = logging.getLogger(__name__)

PATIENCE_SECONDS: Final = 5  # before a failed Redis is tried again
NO_EXPIRY: Final = timedelta(days=365)

Answer = TypeVar("Answer")


class JsonSerializer:
    """Serializer for JSON, with integers in the form that Redis can count. Tuples become lists."""

    def dumps(self, value: Any) -> int | str:
        return value if type(value) is int else json.dumps(value)

    def loads(self, data: bytes) -> Any:
        return json.loads(data)


class DatabaseRowsCache(BaseCache):
    """A cache in the database table of `CachedValue`. The sweep deletes expired rows."""

    def __init__(self, table: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        values = self._rows(key, version).filter(expires_at__gt=timezone.now())
        found = values.values_list("value", flat=True).first()
        return default if found is None else found

    def set(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        self._rows(key, version).model.objects.update_or_create(
            key=self.make_and_validate_key(key, version),
            defaults={"value": value, "expires_at": self._end(timeout)},
        )

    def add(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        rows = self._rows(key, version)
        rows.filter(expires_at__lte=timezone.now()).delete()
        _, is_added = rows.model.objects.get_or_create(
            key=self.make_and_validate_key(key, version),
            defaults={"value": value, "expires_at": self._end(timeout)},
        )
        return is_added

    def touch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        rows = self._rows(key, version).filter(expires_at__gt=timezone.now())
        return bool(rows.update(expires_at=self._end(timeout)))

    def delete(self, key: Any, version: int | None = None) -> bool:
        return bool(self._rows(key, version).delete()[0])

    def clear(self) -> None:
        _model().objects.all().delete()

    def _rows(self, key: Any, version: int | None) -> "QuerySet[CachedValue]":
        return _model().objects.filter(key=self.make_and_validate_key(key, version))

    def _end(self, timeout: Any) -> Any:
        end = self.get_backend_timeout(timeout)
        if end is None:
            return timezone.now() + NO_EXPIRY
        return timezone.now() + timedelta(seconds=end - time.time())


class SharedCache(BaseCache):
    """A cache in Redis, or in database rows from the moment Redis fails until it responds again."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._redis = RedisCache(server, params)
        self._rows = DatabaseRowsCache("", params)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return self._with_fallback(lambda cache: cache.get(key, default, version))

    def set(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        self._with_fallback(lambda cache: cache.set(key, value, timeout, version))

    def add(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        return self._with_fallback(lambda cache: cache.add(key, value, timeout, version))

    def touch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return self._with_fallback(lambda cache: cache.touch(key, timeout, version))

    def delete(self, key: Any, version: int | None = None) -> bool:
        return self._with_fallback(lambda cache: cache.delete(key, version))

    def clear(self) -> None:
        self._with_fallback(lambda cache: cache.clear())

    def _with_fallback(self, ask: Callable[[BaseCache], Answer]) -> Answer:
        if time.monotonic() >= _Backoff.until:
            try:
                return ask(self._redis)
            except RedisError as error:
                _Backoff.until = time.monotonic() + PATIENCE_SECONDS
                logger.warning(
                    "Redis does not respond; using the database: %s", type(error).__name__
                )
        return ask(self._rows)


class _Backoff:
    """The time before which this process does not try a failed Redis again."""

    until = 0.0


def _model() -> "type[CachedValue]":
    from duels.models import CachedValue  # a cache can be used before models are loaded

    return CachedValue
