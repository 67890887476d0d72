"""Sizes and positions of the parts of a picture, in pixels."""

from dataclasses import dataclass
from typing import Final

from duels.pictures.scene import HISTORY_ROWS

WIDTH, HEIGHT = 1200, 630  # the usual size of link previews
MARGIN: Final = 54
TURN_COLUMN_WIDTH: Final = 62  # the width of the column with turn numbers
HEADS_Y: Final = 148
GRID_Y: Final = 214
ROW_HEIGHT: Final = 38
GRID_BOTTOM_Y: Final = GRID_Y + HISTORY_ROWS * ROW_HEIGHT


@dataclass(frozen=True)
class Columns:
    """The positions of the columns for this number of wizards.

    The more wizards there are, the less room there is for each gesture.
    """

    count: int

    @property
    def wizard_width(self) -> float:
        """The width of a wizard's two columns together."""
        return (WIDTH - 2 * MARGIN - TURN_COLUMN_WIDTH) / self.count

    @property
    def hand_width(self) -> float:
        return self.wizard_width / 2

    @property
    def are_wide(self) -> bool:
        """Whether a spell's name fits next to its gesture."""
        return self.count <= 2

    @property
    def are_narrow(self) -> bool:
        """Whether a spell's icon does not fit next to its gesture."""
        return self.count > 5

    def left_edge(self, seat: int) -> float:
        """Return the left edge of the two columns of the wizard in this seat."""
        return MARGIN + TURN_COLUMN_WIDTH + seat * self.wizard_width
