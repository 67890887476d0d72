"""The registry of all acts."""

from collections.abc import Mapping
from typing import Final

from duels.commands.acts import clocks, ending, players, rolling_back, wizards, words
from duels.commands.acts.shapes import ActSpec
from duels.models import ActKind

ALL_ACTS: Final = (
    *clocks.ACTS,
    *players.ACTS,
    *rolling_back.ACTS,
    *ending.ACTS,
    *words.ACTS,
    *wizards.ACTS,
)
ACTS: Final[Mapping[ActKind, ActSpec]] = {spec.kind: spec for spec in ALL_ACTS}
