"""How the picture's width and height are shared out."""

from dataclasses import dataclass
from typing import Final

from duels.pictures.scene import ROWS

WIDTH, HEIGHT = 1200, 630  # what those who show share links ask for
MARGIN: Final = 54
TURNS: Final = 62  # the width of the column of turns
HEADS_AT: Final = 148
GRID_AT: Final = 214
ROW: Final = 38
GRID_END: Final = GRID_AT + ROWS * ROW


@dataclass(frozen=True)
class Columns:
    """The more wizards, the less there is beside each gesture."""

    count: int

    @property
    def wizard(self) -> float:
        """The width of a wizard's two columns."""
        return (WIDTH - 2 * MARGIN - TURNS) / self.count

    @property
    def hand(self) -> float:
        return self.wizard / 2

    @property
    def are_wide(self) -> bool:
        """Whether a spell's name has room beside its gesture."""
        return self.count <= 2

    @property
    def are_narrow(self) -> bool:
        """Whether not even its sign has."""
        return self.count > 5

    def left(self, seat: int) -> float:
        """Where a wizard's columns begin."""
        return MARGIN + TURNS + seat * self.wizard
