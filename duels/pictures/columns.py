"""Sizes and positions in the picture, in pixels."""

from dataclasses import dataclass
from typing import Final

from duels.pictures.scene import ROWS

WIDTH, HEIGHT = 1200, 630  # the usual size of link previews
MARGIN: Final = 54
TURNS: Final = 62  # the width of the column of turns
HEADS_AT: Final = 148
GRID_AT: Final = 214
ROW: Final = 38
GRID_END: Final = GRID_AT + ROWS * ROW


@dataclass(frozen=True)
class Columns:
    """The wizards' columns. The more wizards there are, the less room there is next to each
    gesture."""

    count: int

    @property
    def wizard_width(self) -> float:
        """The width of a wizard's two columns."""
        return (WIDTH - 2 * MARGIN - TURNS) / self.count

    @property
    def hand_width(self) -> float:
        return self.wizard_width / 2

    @property
    def are_wide(self) -> bool:
        """Whether a spell's name fits next to its gesture."""
        return self.count <= 2

    @property
    def are_narrow(self) -> bool:
        """Whether not even a spell's icon fits next to its gesture."""
        return self.count > 5

    def left_edge(self, seat: int) -> float:
        """Return the left edge of a wizard's columns."""
        return MARGIN + TURNS + seat * self.wizard_width
