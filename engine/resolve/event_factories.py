"""Cached events of kinds that have few different values.

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
KEPT: Final = 2**13  # events cached of each kind; the least recently used are made again


def shared(kind: Callable[Fields, Made]) -> Callable[Fields, Made]:
    """Return a cached constructor of this kind of event."""
    return cast("Callable[Fields, Made]", lru_cache(maxsize=KEPT)(kind))


cast_told: Final = shared(Cast)
enchanted: Final = shared(Enchanted)
failed: Final = shared(Failed)
gestured: Final = shared(Gestured)
guarded: Final = shared(Guarded)
hit: Final = shared(Hit)
idle: Final = shared(Idle)
lapsed: Final = shared(Lapsed)
overridden: Final = shared(Overridden)
reflected: Final = shared(Reflected)
removed: Final = shared(Removed)
stopped: Final = shared(Stopped)
summoned: Final = shared(Summoned)
wounded: Final = shared(Wounded)

FIRST_SETS: Final[Mapping[str, Mapping[str, Gestured]]] = {
    wizard: {pair: Gestured(wizard, 1, pair[0], pair[1]) for pair in PAIRS} for wizard in SEATS
}
"""The event for a wizard's first set outside extra turns, by wizard and pair of letters."""
