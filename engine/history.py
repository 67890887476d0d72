"""A duel so far, as a value: what `view` looks at. A window of the last turns suffices."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.events import Event
from engine.position import Position


@dataclass(frozen=True, slots=True)
class Turn:
    """One resolved turn. `ordinal` counts all turns from 1, extra turns too."""

    ordinal: int
    position: Position  # as it was before the turn
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class History:
    """The turns, oldest first, and the position that they led to.

    While a turn waits for answers it `is_open`: it is the last of the turns, with what its reveal
    has shown, and the position is the one that it is played from.
    """

    turns: Sequence[Turn]
    position: Position
    is_open: bool = False
