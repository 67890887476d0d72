"""Weighted guesses at the rivals' next moves, based on the visible gestures."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import engine.orders
import engine.play
from duels.practice.guards import threats_ahead
from duels.practice.imagined import ImaginedPosition, makes_gestures_next_turn, opponents_of
from duels.practice.spell_values import NEXT_TURN_DISCOUNT, Needs, expected_values, spell_value
from engine.play import (
    HAND_NAMES,
    SURRENDER_PAIR,
    SYMBOL_COUNT,
    SYMBOLS_OF_PAIR,
    HandEffect,
    paralysed_letter,
)

USUAL_LETTERS: Final = "FPSWD"
# If a set's value is this much below the best one, the set is less likely by a factor of e.
CHOICE_SPREAD: Final = 0.8
MAX_SCENARIOS: Final = 6  # maximum number of scenarios
STAB_VALUE: Final = 0.9


@dataclass(frozen=True, slots=True)
class EstimatedSet:
    """A set of gestures that a wizard may make, with its value as other wizards estimate it."""

    pair: str
    value: float


@dataclass(frozen=True, slots=True)
class Scenario:
    """A guess at the orders of all rivals, with its weight."""

    orders: Mapping[str, engine.orders.Orders]
    weight: float


def promising_sets(
    position: engine.play.Position, states: tuple[int, int], open_: tuple[str, str], needs: Needs
) -> list[EstimatedSet]:
    """Return the sensible sets for hands in these states, most promising first."""
    rules = position.rules
    expected = expected_values(position.ruleset, position.options, needs)
    found = [
        EstimatedSet(pair, pair_value(rules, expected, states, pair, needs))
        for pair in gesture_pairs(*open_)
    ]
    return sorted(found, key=lambda each: -each.value)


def gesture_pairs(lefts: str, rights: str) -> list[str]:
    """Return all pairs of these gestures, except surrenders, half claps and two stabs.

    If there are no other pairs, return all.
    """
    found = [left + right for left in lefts for right in rights]
    return [
        pair
        for pair in found
        if pair not in (SURRENDER_PAIR, ">>") and (pair == "CC" or "C" not in pair)
    ] or found


def pair_value(
    rules: engine.play.Ruleset,
    expected: Sequence[float],
    states: tuple[int, int],
    pair: str,
    needs: Needs,
) -> float:
    """Return the value of the spells that these gestures complete or continue.

    `expected` contains the expected value of a hand, by the hand's state.
    """
    total = 0.0
    both: list[float] = []
    for state, symbol in zip(states, SYMBOLS_OF_PAIR[pair], strict=True):
        after = rules.automaton.step[state * SYMBOL_COUNT + symbol]
        total += NEXT_TURN_DISCOUNT * expected[after]
        gains = [
            (spell_value(end.spell.id, needs), end.both)
            for end in rules.ends[after]
            if not (end.once and needs.bolt_gone)
        ]
        total += max((gain for gain, two in gains if not two), default=0.0)
        both += [gain for gain, two in gains if two]
    if ">" in pair:
        total += STAB_VALUE
    return total + max(both, default=0.0)


def scenarios(
    view: engine.play.View,
    imagined: ImaginedPosition,
    needs: Mapping[str, Needs],
    charmed: Mapping[str, tuple[str, ...]],
    held: Mapping[str, str],
) -> tuple[Scenario, ...]:
    """Return possible moves of the rivals, likeliest first.

    `charmed` contains the observer's gestures for charmed hands, and `held` the hand that the
    observer paralyses, by wizard. We assume that rivals think alike, so the first scenario contains
    the best set of every rival.
    """
    likely = {
        foe: _likely_moves(
            imagined,
            foe,
            view.observer,
            possible_gestures(view, foe, charmed, held.get(foe, "")),
            needs[foe],
        )
        for foe in opponents_of(view)
        if makes_gestures_next_turn(view, foe)
    }
    if not likely:
        return (Scenario({}, 1.0),)
    count = min(MAX_SCENARIOS, max(len(found) for found in likely.values()))
    found: list[Scenario] = []
    for number in range(count):
        orders: dict[str, engine.orders.Orders] = {}
        weight = 0.0
        for foe, options in likely.items():
            orders[foe], chance = options[min(number, len(options) - 1)]
            weight += chance
        found.append(Scenario(orders, weight))
    whole = sum(scenario.weight for scenario in found)
    return tuple(Scenario(scenario.orders, scenario.weight / whole) for scenario in found)


def _likely_moves(
    imagined: ImaginedPosition,
    foe: str,
    target: str,
    open_: tuple[str, str],
    needs: Needs,
) -> list[tuple[engine.orders.Orders, float]]:
    position = imagined.position
    wizard = position.wizard(foe)
    states = (wizard.left_state, wizard.right_state)
    every = promising_sets(position, states, open_, needs)
    best = every[:MAX_SCENARIOS]
    deadly = next((each for each in every if _leads_to_kill(position, target, states, each)), None)
    if deadly is not None:
        best = [deadly, *(each for each in best if each != deadly)]
    top = max(each.value for each in best)
    hasted = len(engine.play.sheet(position, foe).sets) > 1
    found: list[tuple[engine.orders.Orders, float]] = []
    for each in best:
        sets = [engine.orders.HandSet(each.pair[0], each.pair[1])]
        if hasted:
            after = states_after(position.rules, states, each.pair)
            second = promising_sets(
                position, after, (USUAL_LETTERS + "C", USUAL_LETTERS + "C"), needs
            )[0].pair
            sets.append(engine.orders.HandSet(second[0], second[1]))
        found.append(
            (
                engine.orders.Orders(sets=tuple(sets)),
                1.0 if each is deadly else math.exp((each.value - top) / CHOICE_SPREAD),
            )
        )
    return found


def _leads_to_kill(
    position: engine.play.Position, target: str, states: tuple[int, int], first: EstimatedSet
) -> bool:
    """Return whether a spell can kill the target one turn after this set, in spite of shields."""
    wizard = position.wizard(target)
    points = wizard.damage_limit(position.rules) - wizard.damage
    soon, _ = threats_ahead(position.ruleset, position.options)
    return any(
        soon.damage[state] >= points for state in states_after(position.rules, states, first.pair)
    )


def states_after(rules: engine.play.Ruleset, states: Sequence[int], pair: str) -> tuple[int, int]:
    """Return the automaton states of both hands after this set."""
    left, right = SYMBOLS_OF_PAIR[pair]
    step = rules.automaton.step
    return step[states[0] * SYMBOL_COUNT + left], step[states[1] * SYMBOL_COUNT + right]


def possible_gestures(
    view: engine.play.View, foe: str, charmed: Mapping[str, tuple[str, ...]], held: str
) -> tuple[str, str]:
    """Return the gestures that each of a rival's hands can make under its visible effects."""
    rules = view.rules
    being = next(being for being in view.status if being.id == foe)
    last = {hand.hand: hand.letters[-1:] for hand in view.hands if hand.wizard == foe}
    minds = [
        effect
        for effect in being.effects
        if rules.hands_under.get(effect.code, HandEffect.DRAWN)
        not in (HandEffect.DRAWN, HandEffect.COPIED)
    ]
    free = {"L": USUAL_LETTERS + "C>", "R": USUAL_LETTERS + "C>"}
    if len(minds) == 1:
        (mind,) = minds
        hand = held or next((side for side in "LR" if HAND_NAMES[side] == mind.detail), "")
        hands = rules.hands_under[mind.code]
        if hands is HandEffect.REPEATED:
            free = {side: last.get(side) or "-" for side in "LR"}
        elif hands is HandEffect.FRIGHTENED:
            free = {"L": rules.under_fear, "R": rules.under_fear}
        elif hands is HandEffect.HELD and hand:
            free[hand] = paralysed_letter(rules, last.get(hand) or "-")
    for side in "LR":
        written = charmed.get(f"{foe}.{side}")
        free[side] = written[0] if written else free[side]
    return free["L"], free["R"]
