"""The history of a duel, from which `view` makes views. A window of the last turns is enough."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.events import Event
from engine.positions.position import Position


@dataclass(frozen=True, slots=True)
class Turn:
    """One resolved turn. `ordinal` counts all turns from 1, extra turns too."""

    ordinal: int
    position: Position  # before the turn
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class History:
    """The turns, oldest first, and the position that they led to.

    `is_open` means that a turn is waiting for answers. It is then the last of the turns, with the
    events of its reveal, and the position is the one before it.
    """

    turns: Sequence[Turn]
    position: Position
    is_open: bool = False
