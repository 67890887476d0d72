"""Cached events of the kinds that have few different values.

Making an event takes longer than finding it, so `hit("w0", 1, "missile", "w1")` returns the `Hit`
made by the first such call. Events are immutable.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, ParamSpec, TypeVar, cast

from engine.events import (
    Cast,
    Enchanted,
    Failed,
    Gestured,
    Guarded,
    Hit,
    Idle,
    Lapsed,
    Overridden,
    Reflected,
    Removed,
    Stopped,
    Summoned,
    Wounded,
)
from engine.gestures import PAIRS
from engine.ids import SEATS

Fields = ParamSpec("Fields")
Made = TypeVar("Made")
CACHE_SIZE: Final = 2**13  # maximum number of events of each kind


def cached_factory(kind: Callable[Fields, Made]) -> Callable[Fields, Made]:
    """Return a cached constructor of this kind of event."""
    return cast("Callable[Fields, Made]", lru_cache(maxsize=CACHE_SIZE)(kind))


cast_event: Final = cached_factory(Cast)
enchanted: Final = cached_factory(Enchanted)
failed: Final = cached_factory(Failed)
gestured: Final = cached_factory(Gestured)
guarded: Final = cached_factory(Guarded)
hit: Final = cached_factory(Hit)
idle: Final = cached_factory(Idle)
lapsed: Final = cached_factory(Lapsed)
overridden: Final = cached_factory(Overridden)
reflected: Final = cached_factory(Reflected)
removed: Final = cached_factory(Removed)
stopped: Final = cached_factory(Stopped)
summoned: Final = cached_factory(Summoned)
wounded: Final = cached_factory(Wounded)

FIRST_SET_EVENTS: Final[Mapping[str, Mapping[str, Gestured]]] = {
    wizard: {pair: Gestured(wizard, 1, pair[0], pair[1]) for pair in PAIRS} for wizard in SEATS
}
"""The event for a wizard's first set outside extra turns, by wizard and pair of letters."""
