"""A registry of the caches in this process, with their names, sizes and keys.

A cached value depends only on its key. If a value differs between observers, its key contains the
observer or all inputs of the value, so that observers never get each other's values.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from threading import Lock
from typing import Any, Final, Generic, ParamSpec, TypeVar

from cachetools import LRUCache

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Arguments = ParamSpec("Arguments")


@dataclass(frozen=True)
class NamedCache:
    """A registered cache. `key` is a description of its keys."""

    name: str
    size: int
    key: str
    empty: Callable[[], None] = field(compare=False)


CACHES: Final[dict[str, NamedCache]] = {}


def clear_all() -> None:
    for cache in CACHES.values():
        cache.empty()


def named_cache(
    name: str, size: int, key: str
) -> Callable[[Callable[Arguments, Value]], Callable[Arguments, Value]]:
    """Cache a function's results by its arguments, in a cache with this name."""

    def cache_results(function: Callable[Arguments, Value]) -> Callable[Arguments, Value]:
        cached: Any = lru_cache(maxsize=size)(function)
        _register_cache(NamedCache(name, size, key, cached.cache_clear))
        return wraps(function)(cached)

    return cache_results


class KeyedCache(Generic[Key, Value]):
    """A least-recently-used cache of values by a key that identifies their inputs."""

    def __init__(self, name: str, size: int, key: str) -> None:
        self._values: LRUCache[Key, Value] = LRUCache(size)
        self._lock = Lock()
        _register_cache(NamedCache(name, size, key, self._values.clear))

    def get(self, key: Key | None, make_value: Callable[[], Value]) -> Value:
        """Return the value of this key. Make it if it is not cached or if the key is None."""
        if key is None:
            return make_value()
        with self._lock:
            if key in self._values:
                return self._values[key]
        made = make_value()  # two threads may both make the value, with the same result
        with self._lock:
            self._values[key] = made
        return made


def _register_cache(cache: NamedCache) -> None:
    assert cache.name not in CACHES, cache.name
    CACHES[cache.name] = cache
