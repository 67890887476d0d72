"""Cached events of the kinds that have few different values.

Making an event takes longer than finding it, so `hit("w0", 1, "missile", "w1")` returns the `Hit`
made by the first such call. Events are immutable.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, ParamSpec, TypeVar, cast

from engine import events
from engine.gestures import GESTURE_PAIRS
from engine.ids import SEATS

Fields = ParamSpec("Fields")
EventType = TypeVar("EventType")
CACHE_SIZE: Final = 2**13  # maximum number of events of each kind


def cached_factory(kind: Callable[Fields, EventType]) -> Callable[Fields, EventType]:
    """Return a cached constructor of this kind of event."""
    return cast("Callable[Fields, EventType]", lru_cache(maxsize=CACHE_SIZE)(kind))


cast_event: Final = cached_factory(events.Cast)
enchanted: Final = cached_factory(events.Enchanted)
failed: Final = cached_factory(events.Failed)
gestured: Final = cached_factory(events.Gestured)
guarded: Final = cached_factory(events.Guarded)
hit: Final = cached_factory(events.Hit)
idle: Final = cached_factory(events.Idle)
lapsed: Final = cached_factory(events.Lapsed)
overridden: Final = cached_factory(events.Overridden)
reflected: Final = cached_factory(events.Reflected)
removed: Final = cached_factory(events.Removed)
stopped: Final = cached_factory(events.Stopped)
summoned: Final = cached_factory(events.Summoned)
wounded: Final = cached_factory(events.Wounded)

FIRST_SET_EVENTS: Final[Mapping[str, Mapping[str, events.Gestured]]] = {
    wizard: {pair: events.Gestured(wizard, 1, pair[0], pair[1]) for pair in GESTURE_PAIRS}
    for wizard in SEATS
}
"""The event for a wizard's first set outside extra turns, by wizard and pair of letters."""
