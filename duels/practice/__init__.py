"""The practice opponent, which chooses orders and answers based only on its seat's view.

The opponent uses only the engine's view, order sheet and check of orders. It simulates the coming
turn in an imagined position. It does not use the database or a clock, and its random numbers are a
parameter.
"""

from duels.practice.play import choose_orders as choose_orders
from duels.practice.replies import choose_answers as choose_answers
