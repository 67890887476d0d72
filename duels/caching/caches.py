"""The caches of a process by name, with their sizes and keys.

A value depends only on its key. Anything that differs between observers has the observer, or all
its inputs, in the key, so a cache never returns a value made for one observer to another.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from threading import Lock
from typing import Any, Final, Generic, ParamSpec, TypeVar

from cachetools import LRUCache

Key = TypeVar("Key", bound=Hashable)
Made = TypeVar("Made")
Given = ParamSpec("Given")


@dataclass(frozen=True)
class NamedCache:
    """A registered cache. `key` describes its key as text."""

    name: str
    size: int
    key: str
    empty: Callable[[], None] = field(compare=False)


CACHES: Final[dict[str, NamedCache]] = {}


def clear_all() -> None:
    """Empty all caches, as in a new process."""
    for cache in CACHES.values():
        cache.empty()


def named_cache(
    name: str, size: int, key: str
) -> Callable[[Callable[Given, Made]], Callable[Given, Made]]:
    """Cache a function's results by its arguments, in a cache with this name."""

    def cache_results(function: Callable[Given, Made]) -> Callable[Given, Made]:
        cached: Any = lru_cache(maxsize=size)(function)
        _register_cache(NamedCache(name, size, key, cached.cache_clear))
        return wraps(function)(cached)

    return cache_results


class KeyedCache(Generic[Key, Made]):
    """A least-recently-used cache of values by a key that identifies their inputs."""

    def __init__(self, name: str, size: int, key: str) -> None:
        self._values: LRUCache[Key, Made] = LRUCache(size)
        self._lock = Lock()
        _register_cache(NamedCache(name, size, key, self._values.clear))

    def get(self, key: Key | None, make_value: Callable[[], Made]) -> Made:
        """Return the value of this key, and make it if it is missing or the key is None."""
        if key is None:
            return make_value()
        with self._lock:
            if key in self._values:
                return self._values[key]
        made = make_value()  # two threads may both make it, with the same result
        with self._lock:
            self._values[key] = made
        return made


def _register_cache(cache: NamedCache) -> None:
    assert cache.name not in CACHES, cache.name
    CACHES[cache.name] = cache
