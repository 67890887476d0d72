"""The practice opponent: orders and answers for a seat, from what that seat may know.

It looks at the engine's view, sheet and check and at nothing else of a duel, and imagines the turn
to come on a position of its own. No database, no clock; its luck is a parameter.
"""

from duels.practice.play import orders
from duels.practice.replies import answers

__all__ = ["answers", "orders"]
