"""The practice opponent's orders: gestures first, then whatever they leave to decide."""

import random

import engine
from duels.practice.rest import commanded
from duels.practice.seat import Seat
from duels.practice.sets import next_set


def orders(history: engine.History, wizard: str, luck: random.Random) -> engine.Orders:
    """Legal orders for this wizard's turn, from what his seat may know."""
    seat = Seat(history, wizard)
    sets: list[engine.HandSet] = []
    if seat.blank.acts:
        for _ in seat.blank.sets:
            sets.append(next_set(seat, sets, luck))
    made = engine.Orders(sets=tuple(sets))
    if not seat.blank.is_gestures_only:
        made = commanded(seat, made)
    return seat.lawful(made)
