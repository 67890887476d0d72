"""The practice opponent: orders and answers for a seat, using only what that seat may see.

It only uses the engine's view, sheet and check of a duel, and simulates the coming turn on its own
position. It has no database or clock, and its random numbers are a parameter.
"""

from duels.practice.play import orders
from duels.practice.replies import answers

__all__ = ["answers", "orders"]
