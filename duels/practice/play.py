"""The practice opponent's choice of orders: first its gestures, then the other fields."""

import random

import engine.orders
import engine.play
from duels.practice.forecast import Forecast
from duels.practice.gesture_choice import choose_set, safest_forecast
from duels.practice.remaining_orders import with_remaining_orders
from duels.practice.seat import PracticeSeat


def choose_orders(
    history: engine.play.History, wizard: str, rng: random.Random
) -> engine.orders.Orders:
    """Return legal orders for this wizard's turn, based only on their own view."""
    seat = PracticeSeat(history, wizard)
    sets: list[engine.orders.HandSet] = []
    future = Forecast(seat)
    if seat.blank.acts:
        future = safest_forecast([seat, *seat.seats_with_other_hands()])
        for _ in seat.blank.sets:
            future = future.with_second_set if sets else future
            sets.append(choose_set(future, sets, rng))
    made = engine.orders.Orders(sets=tuple(sets))
    if not seat.blank.is_gestures_only:
        made = with_remaining_orders(future, made)
    return seat.without_illegal_orders(made)
