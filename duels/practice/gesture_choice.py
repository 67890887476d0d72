"""Choice of gestures for one set: every sensible pair is simulated, and one of the best chosen."""

import math
import random
from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Final

import engine
from duels.practice.forecast import Forecast
from duels.practice.scenarios import pairs
from duels.practice.seat import Seat
from engine import NOTHING, PALM, STAB

SETS_COMPARED: Final = 10
"""Number of sets compared in all scenarios."""
SCENARIOS_AT_FIRST: Final = 2
"""Number of scenarios in the first comparison of all sets."""
CHOICE_SPREAD: Final = 0.7
"""Randomness of the choice among sets that are nearly as good as the best."""
NEARLY_AS_GOOD: Final = 1.0
"""Largest difference in value to the best set at which a set may still be chosen."""
COPIES: Final = "maladroit"
"""The reason why a left hand may change: it copies the right one. rules: W23"""
FEARED: Final = "W24"
"""The rule that makes letters of a frightened hand void."""
VARIANTS: Final = 6
"""Maximum number of spells and subjects considered for one set."""


def next_set(seat: Seat, before: Sequence[engine.HandSet], rng: random.Random) -> engine.HandSet:
    """Return the set to make after the earlier sets of the same turn."""
    made = tuple(before)
    sheet = seat.sheet(engine.Orders(sets=made))
    future = Forecast(seat, hasted=bool(made))
    plans = list(_plans(seat, sheet, sheet.sets[len(made)]))

    def value_of(plan: engine.HandSet, depth: int | None) -> float:
        return future.value_of_orders(engine.Orders(sets=(*made, plan)), depth)

    glanced = sorted(plans, key=lambda plan: -value_of(plan, SCENARIOS_AT_FIRST))[:SETS_COMPARED]
    values = [value_of(plan, None) for plan in glanced]
    best = max(values)
    chances = [
        math.exp((value - best) / CHOICE_SPREAD) if value >= best - NEARLY_AS_GOOD else 0.0
        for value in values
    ]
    return rng.choices(glanced, chances)[0]


def _plans(seat: Seat, sheet: engine.Sheet, hands: engine.SetSheet) -> Iterator[engine.HandSet]:
    """Yield possible sets, each with sensible spells and subjects."""
    for pair in open_pairs(hands, seat.rules):
        yield from islice(_aimed(seat, sheet, pair, hands.completions.get(pair, ())), VARIANTS)


def open_pairs(hands: engine.SetSheet, rules: engine.Ruleset) -> list[str]:
    """Return the pairs worth considering.

    Idle hands and surrenders are avoided if possible, even if someone else or the dice may change
    one of the hands.
    """
    lefts, rights = (_open_letters(hand, rules) for hand in (hands.left, hands.right))
    if hands.left.changeable == COPIES:
        found = [letter * 2 for letter in rights if letter != PALM] or pairs(lefts, rights)
        return [pair for pair in found if NOTHING not in pair] or found
    found = pairs(lefts, rights)
    if hands.left.changeable or hands.right.changeable:
        found = [pair for pair in found if PALM not in pair] or found
    return [pair for pair in found if NOTHING not in pair] or found


def _open_letters(hand: engine.HandSheet, rules: engine.Ruleset) -> str:
    """Return the letters that the hand may make, without those that fear makes void. rules: W24"""
    allowed = "".join(option.letter for option in hand.gestures if option.allowed)
    if hand.rule == FEARED:
        allowed = "".join(letter for letter in allowed if letter in rules.under_fear)
    return hand.forced or allowed


def _aimed(
    seat: Seat, sheet: engine.Sheet, pair: str, completions: Sequence[engine.Completion]
) -> Iterator[engine.HandSet]:
    """Yield the set with its default spells, then with each other spell that it completes."""
    choices: list[tuple[dict[str, str], list[engine.Completion]]]
    choices = [({}, [row for row in completions if row.default])]
    choices += [({row.hand: row.spell}, [row]) for row in completions if not row.default]
    for spells, cast in choices:
        aims = {row.hand: _subjects(seat, sheet, row.spell) for row in cast}
        aims |= {h: _stabbed(seat, sheet) for h, x in zip("LR", pair, strict=True) if x == STAB}
        aims = {hand: subjects for hand, subjects in aims.items() if subjects}
        for chosen in product(*aims.values()):
            yield engine.HandSet(pair[0], pair[1], spells, dict(zip(aims, chosen, strict=True)))


def _subjects(seat: Seat, sheet: engine.Sheet, spell: str) -> list[str]:
    choice = sheet.subjects.get(spell)
    options = choice.options if choice is not None else ()
    return [id for id in seat.aims.subjects(seat.rules.spells[spell]) if id in options]


def _stabbed(seat: Seat, sheet: engine.Sheet) -> list[str]:
    choice = sheet.subjects.get("stab")
    options = choice.options if choice is not None else ()
    return [id for id in seat.aims.victims() if id in options][:1]
