"""The practice opponent's choice of orders: first its gestures, then the other fields."""

import random

import engine.orders
import engine.play
from duels.practice.gesture_choice import choose_set, safest_seat
from duels.practice.remaining_orders import with_remaining_orders
from duels.practice.seat import PracticeSeat


def choose_orders(
    history: engine.play.History, wizard: str, rng: random.Random
) -> engine.orders.Orders:
    """Return legal orders for this wizard's turn, based only on their own view."""
    seat = PracticeSeat(history, wizard)
    sets: list[engine.orders.HandSet] = []
    if seat.blank.acts:
        seats = [seat, *seat.seats_with_other_hands()]
        seat = safest_seat(seats) if len(seats) > 1 else seat
        for _ in seat.blank.sets:
            sets.append(choose_set(seat, sets, rng))
    made = engine.orders.Orders(sets=tuple(sets))
    if not seat.blank.is_gestures_only:
        made = with_remaining_orders(seat, made)
    return seat.without_illegal_orders(made)
