"""The colours of the page by day, as in `static/css/variables.css`."""

from typing import Final

Colour = str

PAPER: Final[Colour] = "#f6eedd"
LEAF: Final[Colour] = "#fcf7eb"
LEAF_DEEP: Final[Colour] = "#efe3ca"
RULE: Final[Colour] = "#cdb992"
RULE_STRONG: Final[Colour] = "#8f7650"
INK: Final[Colour] = "#2b2118"
INK_SOFT: Final[Colour] = "#5d4b38"
WINE: Final[Colour] = "#7d1f2b"
GOLD: Final[Colour] = "#8a5a0c"
ALARM: Final[Colour] = "#9b1c1c"

SEATS: Final[tuple[Colour, ...]] = (
    "#7d1f2b",
    "#274f7d",
    "#2f5a34",
    "#7a4b00",
    "#5a2f73",
    "#0f5b60",
    "#6b4423",
    "#4a4a4a",
)
