"""The practice opponent, which uses only its seat's view to choose its orders and answers.

The opponent uses only the engine's view, sheet and check of the duel, and simulates the coming turn
in a position of its own. It does not use a database or a clock, and random numbers are a parameter.
"""

from duels.practice.play import choose_orders as choose_orders
from duels.practice.replies import choose_answers as choose_answers
