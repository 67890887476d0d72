"""Events of which there are few, made once and told as often as they happen.

Making one takes longer than finding it: `hit("w0", 1, "missile", "w1")` answers the `Hit` that was
made when that first happened. Events are values that nobody can change.
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
KEPT: Final = 2**13  # of a kind; what has not been told for longest is made anew


def shared(kind: Callable[Fields, Made]) -> Callable[Fields, Made]:
    """What makes an event of this kind, and keeps it."""
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
"""What is told of a wizard's first set in any but an extra turn, by wizard and both letters."""
