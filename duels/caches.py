"""The caches of a process, by name: how much each holds, and by which key.

A value is made of what its key names and of nothing else, so that no cache can show one observer
what was made for another: whatever depends on who looks has the observer in its key, or all that it
is made of.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from threading import Lock
from typing import Any, Final, Generic, ParamSpec, TypeVar

Key = TypeVar("Key", bound=Hashable)
Made = TypeVar("Made")
Given = ParamSpec("Given")


@dataclass(frozen=True)
class NamedCache:
    """`key` says in words by what its values are known."""

    name: str
    size: int
    key: str
    empty: Callable[[], None] = field(compare=False)


CACHES: Final[dict[str, NamedCache]] = {}


def clear_all() -> None:
    """Nothing is kept, as in a new process."""
    for cache in CACHES.values():
        cache.empty()


def named_cache(
    name: str, size: int, key: str
) -> Callable[[Callable[Given, Made]], Callable[Given, Made]]:
    """The function, asked once for the same arguments: they are the key."""

    def keep(make: Callable[Given, Made]) -> Callable[Given, Made]:
        cached: Any = lru_cache(maxsize=size)(make)
        _register(NamedCache(name, size, key, cached.cache_clear))
        return wraps(make)(cached)

    return keep


class KeyedCache(Generic[Key, Made]):
    """Values by a key that stands for what they are made of; those asked for last stay."""

    def __init__(self, name: str, size: int, key: str) -> None:
        self.size = size
        self._values: OrderedDict[Key, Made] = OrderedDict()
        self._lock = Lock()
        _register(NamedCache(name, size, key, self._values.clear))

    def get(self, key: Key | None, make: Callable[[], Made]) -> Made:
        """The value of this key, made now if it is not here; without a key always."""
        if key is None:
            return make()
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        made = make()  # two threads may both make it: it is the same
        with self._lock:
            self._values[key] = made
            if len(self._values) > self.size:
                self._values.popitem(last=False)
        return made


def _register(cache: NamedCache) -> None:
    assert cache.name not in CACHES, cache.name
    CACHES[cache.name] = cache
