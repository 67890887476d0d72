"""Gentle orders for the practice opponent of a learner."""

import math
import random
from typing import Final

import engine.play
from duels.practice.gesture_choice import CHOICE_SPREAD, sensible_pairs
from duels.practice.imagined import imagine_position
from duels.practice.scenarios import pair_value
from duels.practice.seat import PracticeSeat
from duels.practice.spell_values import expected_values
from engine.orders import NO_ORDERS, HandSet, Orders
from engine.play import STAB

DEFENSIVE_SPELLS: Final = frozenset({"shield", "cure_light_wounds"})
WEAK_ATTACKS: Final = frozenset({"missile", "cause_light_wounds", "summon_goblin"})
# Number of a rival's remaining hit points at which the opponent stops attacking.
FEW_HIT_POINTS: Final = 4


def gentle_orders(history: engine.play.History, wizard: str, rng: random.Random) -> Orders:
    """Return legal orders that cast only simple spells and do not attack a weakened rival.

    Gestures may begin stronger spells, but the opponent does not complete them.
    """
    seat = PracticeSeat(history, wizard)
    if not seat.blank.acts or not seat.blank.sets:
        return seat.without_illegal_orders(NO_ORDERS)
    pairs = sensible_pairs(seat.blank.sets[0], seat.rules)
    pairs = [pair for pair in pairs if _is_gentle(seat, pair)] or pairs
    values = _values_of_pairs(seat, pairs)
    best = max(values)
    chances = [math.exp((value - best) / CHOICE_SPREAD) for value in values]
    (pair,) = rng.choices(pairs, chances)
    return seat.without_illegal_orders(Orders(sets=(HandSet(pair[0], pair[1]),)))


def _is_gentle(seat: PracticeSeat, pair: str) -> bool:
    spells = {row.spell for row in seat.blank.sets[0].completions.get(pair, ()) if row.default}
    if _has_weak_rival(seat):
        return spells <= DEFENSIVE_SPELLS and STAB not in pair
    return spells <= DEFENSIVE_SPELLS | WEAK_ATTACKS


def _has_weak_rival(seat: PracticeSeat) -> bool:
    return any(
        being.damage is not None and being.limit - being.damage <= FEW_HIT_POINTS
        for being in seat.view.status
        if being.id in seat.aims.foes
    )


def _values_of_pairs(seat: PracticeSeat, pairs: list[str]) -> list[float]:
    """Return the value of the spells that each pair of gestures completes or continues."""
    position = imagine_position(seat.view, is_hasted=False).position
    own, needs = position.wizard(seat.wizard), seat.needs[seat.wizard]
    expected = expected_values(position.ruleset, position.options, needs)
    states = (own.left_state, own.right_state)
    return [pair_value(seat.rules, expected, states, pair, needs) for pair in pairs]
