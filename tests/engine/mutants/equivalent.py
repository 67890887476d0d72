"""Changes that change nothing in any duel, each with the reason; they are not tried."""

from collections.abc import Mapping
from typing import Final

_APART = "neither looks at what the other does"

EQUIVALENT: Final[Mapping[str, str]] = {
    "sealed play bind_next_turn before move_markers": _APART,
    "EXECUTION protect before cancel_opposites": _APART,
}
