"""Changes that change nothing in any duel, each with the reason; they are not tried."""

from collections.abc import Mapping
from typing import Final

_APART = "neither looks at what the other does"

_SEALED = "only the sealed play looks at it"

EQUIVALENT: Final[Mapping[str, str]] = {
    "sealed play bind_next_turn before move_markers": _APART,
    "EXECUTION protect before cancel_opposites": _APART,
    "spellcast-1 elementals_merge = False": _SEALED,
    "spellcast-1 release_ignores_counter = True": _SEALED,
}
