"""The Django app: stores the engine's values in rows and shows each wizard what they may see."""

from duels import release  # noqa: F401  # before any module that it describes
