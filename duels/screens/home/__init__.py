"""The front page, for players and for visitors."""
