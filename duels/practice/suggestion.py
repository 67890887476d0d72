"""The gestures that the practice opponent would make in a learner's place."""

import engine.play
from duels.practice.forecast import Forecast
from duels.practice.gesture_choice import MAX_SCENARIOS_AT_FIRST, MAX_SETS_COMPARED, sensible_pairs
from duels.practice.seat import PracticeSeat
from engine.orders import HandSet, Orders


def suggested_gestures(history: engine.play.History, wizard: str) -> str:
    """Return the best pair of gestures for the wizard, or "" if they do not make gestures.

    Spells and targets keep their defaults, because learners usually choose only gestures. Only the
    pairs with the fewest warnings are considered.
    """
    seat = PracticeSeat(history, wizard)
    if not seat.blank.acts or not seat.blank.sets:
        return ""
    future = Forecast(seat)

    def value_of(pair: str, depth: int | None = None) -> float:
        return future.value_of_orders(_orders_of(pair), depth)

    pairs = sensible_pairs(seat.blank.sets[0], seat.rules)
    cautions = {pair: seat.caution_count(_orders_of(pair)) for pair in pairs}
    fewest = min(cautions.values())
    pairs = [pair for pair in pairs if cautions[pair] == fewest]
    pairs.sort(key=lambda pair: -value_of(pair, MAX_SCENARIOS_AT_FIRST))
    return max(future.dangers.safest_options(pairs, _orders_of, MAX_SETS_COMPARED), key=value_of)


def _orders_of(pair: str) -> Orders:
    return Orders(sets=(HandSet(pair[0], pair[1]),))
