"""Changes that change nothing in any duel, each with the reason; they are not tried."""

from collections.abc import Mapping
from typing import Final

EQUIVALENT: Final[Mapping[str, str]] = {}
