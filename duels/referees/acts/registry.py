"""The registry of all acts."""

from collections.abc import Mapping
from typing import Final

from duels.models import ActKind
from duels.referees.acts import clocks, ending, players, rolling_back, wizards, words
from duels.referees.acts.shapes import ActSpec

ALL_ACTS: Final = (
    *clocks.ACTS,
    *players.ACTS,
    *rolling_back.ACTS,
    *ending.ACTS,
    *words.ACTS,
    *wizards.ACTS,
)
ACTS: Final[Mapping[ActKind, ActSpec]] = {spec.kind: spec for spec in ALL_ACTS}
