"""The main Django app. It stores the engine's values and shows each wizard only what they may
see."""

from duels.proof import release  # noqa: F401  # before any module that it describes
