"""The choice of gestures for one set: simulate every sensible pair, and choose one of the best."""

import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import Final

import engine.orders
import engine.play
from duels.practice.aims import Aims
from duels.practice.forecast import Forecast
from duels.practice.hands import with_letter
from duels.practice.remaining_orders import with_captures_and_releases
from duels.practice.scenarios import gesture_pairs
from duels.practice.seat import MALADROIT_VARIANT, PracticeSeat
from engine.play import NOTHING, PALM, STAB

MAX_SETS_COMPARED: Final = 10  # number of sets that are compared in all scenarios
# Number of scenarios in the first comparison, which covers all sets.
MAX_SCENARIOS_AT_FIRST: Final = 2
# Randomness of the choice among sets that are nearly as good as the best one.
CHOICE_SPREAD: Final = 0.7
MAX_VALUE_LOSS: Final = 1.0  # maximum difference in value between the best set and the chosen set
RULE_OF_FEAR: Final = "W24"  # the rule that makes some gestures of frightened hands void
# Maximum number of combinations of spells and targets for one pair of gestures.
MAX_VARIANTS: Final = 6
# Maximum number of combinations if the wizard does not survive with any of the first ones.
MAX_VARIANTS_IN_DANGER: Final = 30


def choose_set(
    future: Forecast, earlier_sets: Sequence[engine.orders.HandSet], rng: random.Random
) -> engine.orders.HandSet:
    """Choose the set that follows the earlier sets of the same turn."""
    seat, made = future.seat, tuple(earlier_sets)

    def orders_of(plan: engine.orders.HandSet) -> engine.orders.Orders:
        return _with_victims_of_charmed(seat, engine.orders.Orders(sets=(*made, plan)))

    def value_of(plan: engine.orders.HandSet, depth: int | None) -> float:
        return future.value_of_orders(orders_of(plan), depth)

    def ranked(plans: Iterable[engine.orders.HandSet]) -> list[engine.orders.HandSet]:
        return sorted(plans, key=lambda plan: -value_of(plan, MAX_SCENARIOS_AT_FIRST))

    plans = ranked(_possible_sets(seat, made, seat.aims, MAX_VARIANTS))
    glanced = future.dangers.surviving_options(plans, orders_of, MAX_SETS_COMPARED)
    if not glanced and len(seat.blank.sets) > len(made) + 1:
        glanced = _first_sets(future)
        glanced = glanced or _first_sets(future, is_wide=True)
        glanced = glanced or _sets_that_need_other_choices(future, plans, orders_of)
    elif not glanced:
        wide = replace(seat.aims, is_wide=True)
        plans = ranked(_possible_sets(seat, made, wide, MAX_VARIANTS_IN_DANGER))
        for part in () if future.is_doomed else _split_by_risk(seat, plans):
            glanced = glanced or future.dangers.surviving_options(
                part, orders_of, MAX_SETS_COMPARED
            )
            glanced = glanced or _sets_that_need_other_choices(future, part, orders_of)
    glanced = glanced or _least_deadly_sets(future, plans, orders_of)
    values = [value_of(plan, None) for plan in glanced]
    best = max(values)
    chances = [
        math.exp((value - best) / CHOICE_SPREAD) if value >= best - MAX_VALUE_LOSS else 0.0
        for value in values
    ]
    return rng.choices(glanced, chances)[0]


def safest_forecast(seats: Sequence[PracticeSeat]) -> Forecast:
    """Return the forecast of the first seat in which some orders survive every rival move.

    If there is none, return that of the seat in which the smallest share of the moves kills the
    wizard. Only orders for one set are considered.
    """
    futures: list[Forecast] = []
    for seat in seats:
        future = Forecast(seat)
        searches = len(seats) - 1 if futures else 1  # the searches for other hands share one
        if len(seats) == 1 or future.dangers.surviving_options(
            _orders_for_one_set(seat), lambda orders: orders, 1, searches
        ):
            return future
        futures.append(future)
    shares = [
        future.dangers.smallest_share_of_killing_moves(_orders_for_one_set(future.seat), len(seats))
        for future in futures
    ]
    found = futures[shares.index(min(shares))]
    found.is_doomed = len(found.seat.blank.sets) == 1
    return found


def _orders_for_one_set(seat: PracticeSeat) -> Iterator[engine.orders.Orders]:
    """Yield orders with each possible set, capture and release, as in great danger."""
    aims = replace(seat.aims, is_wide=True)
    for plan in _possible_sets(seat, (), aims, MAX_VARIANTS_IN_DANGER):
        orders = _with_victims_of_charmed(seat, engine.orders.Orders(sets=(plan,)))
        yield from with_captures_and_releases(seat, orders)


def _split_by_risk(
    seat: PracticeSeat, plans: Sequence[engine.orders.HandSet]
) -> tuple[list[engine.orders.HandSet], ...]:
    """Return the sets that cannot become a surrender, then those that can."""
    if not seat.changed_letters:
        return (list(plans),)
    certain = [plan for plan in plans if PALM not in plan.pair]
    return certain, [plan for plan in plans if PALM in plan.pair]


def _least_deadly_sets(
    future: Forecast,
    plans: Sequence[engine.orders.HandSet],
    orders_of: Callable[[engine.orders.HandSet], engine.orders.Orders],
) -> list[engine.orders.HandSet]:
    """Return the sets with which the fewest moves kill, if possible without risk of surrender."""
    ordered = [plan for part in _split_by_risk(future.seat, plans) for plan in part]
    found = future.dangers.least_deadly_options(ordered, orders_of, len(ordered))
    return next(filter(None, _split_by_risk(future.seat, found)))[:MAX_SETS_COMPARED]


def _possible_sets(
    seat: PracticeSeat,
    earlier_sets: tuple[engine.orders.HandSet, ...],
    aims: Aims,
    variants: int,
    *,
    is_guarding: bool = False,
) -> Iterator[engine.orders.HandSet]:
    """Yield possible sets, with sensible spells and targets.

    If `is_guarding`, yield only sets with a spell that could save the wizard.
    """
    sheet = seat.sheet(engine.orders.Orders(sets=earlier_sets))
    hands = sheet.sets[len(earlier_sets)]
    for pair in sensible_pairs(hands, seat.rules, risks_surrender=aims.is_wide):
        spells = [seat.rules.spells[row.spell] for row in hands.completions.get(pair, ())]
        if is_guarding and not any(map(aims.can_save_wizard, spells)):
            continue
        plans = _sets_with_spells(seat, aims, sheet, pair, hands.completions.get(pair, ()))
        if aims.is_wide and seat.changed_letters:
            plans = _with_targets_if_changed(seat, aims, sheet, hands, plans)
        yield from islice(plans, variants)


def _first_sets(future: Forecast, *, is_wide: bool = False) -> list[engine.orders.HandSet]:
    """Return first sets for a hasted wizard who can then survive with a suitable second set.

    If `is_wide`, the first set must guard the wizard, too, but may have unusual targets.
    """
    seat = future.seat
    aims, variants = (replace(seat.aims, is_wide=is_wide), MAX_VARIANTS if is_wide else 1)
    both = (
        (first, second)
        for first in _possible_sets(seat, (), aims, variants, is_guarding=is_wide)
        for second in _possible_sets(seat, (first,), seat.aims, MAX_VARIANTS, is_guarding=True)
    )
    found = future.with_second_set.dangers.surviving_options(
        both,
        lambda sets: _with_victims_of_charmed(seat, engine.orders.Orders(sets=sets)),
        MAX_SETS_COMPARED,
    )
    return [first for first, _ in found]


def _sets_that_need_other_choices(
    future: Forecast,
    plans: Sequence[engine.orders.HandSet],
    orders_of: Callable[[engine.orders.HandSet], engine.orders.Orders],
) -> list[engine.orders.HandSet]:
    """Return sets with which the wizard survives with a certain capture or release of a spell."""
    both = (
        (plan, orders)
        for plan in plans
        for orders in islice(with_captures_and_releases(future.seat, orders_of(plan)), 1, None)
    )
    found = future.dangers.surviving_options(both, lambda option: option[1], MAX_SETS_COMPARED)
    return [plan for plan, _ in found]


def _with_victims_of_charmed(
    seat: PracticeSeat, orders: engine.orders.Orders
) -> engine.orders.Orders:
    """Return the orders, with a rival as the victim of each monster that a spell takes over."""
    monsters = {monster.id for monster in seat.aims.rival_monsters}
    subjects = {subject for made in orders.sets for subject in made.subjects.values()}
    charmed = dict.fromkeys(sorted(subjects & monsters), seat.aims.foes[:1])
    return replace(orders, victims=charmed) if charmed else orders


def sensible_pairs(
    hands: engine.play.SetSheet, rules: engine.play.Ruleset, *, risks_surrender: bool = False
) -> list[str]:
    """Return the pairs of gestures that are worth considering.

    Avoid idle hands and surrenders if possible. If `risks_surrender` is False, also avoid pairs
    that become a surrender if another wizard or chance changes a hand.
    """
    lefts, rights = (_sensible_gestures(hand, rules) for hand in (hands.left, hands.right))
    if hands.left.changeable == MALADROIT_VARIANT:
        found = [letter * 2 for letter in rights if letter != PALM] or gesture_pairs(lefts, rights)
        return [pair for pair in found if NOTHING not in pair] or found
    found = gesture_pairs(lefts, rights)
    if not risks_surrender and (hands.left.changeable or hands.right.changeable):
        found = [pair for pair in found if PALM not in pair] or found
    return [pair for pair in found if NOTHING not in pair] or found


def _sensible_gestures(hand: engine.play.HandSheet, rules: engine.play.Ruleset) -> str:
    """Return the gestures that the hand may make, except those that Fear voids. rules: W24"""
    allowed = "".join(option.letter for option in hand.gestures if option.allowed)
    if hand.rule == RULE_OF_FEAR:
        allowed = "".join(letter for letter in allowed if letter in rules.under_fear)
    return hand.forced or allowed


def _sets_with_spells(
    seat: PracticeSeat,
    aims: Aims,
    sheet: engine.play.Sheet,
    pair: str,
    completions: Sequence[engine.play.Completion],
) -> Iterator[engine.orders.HandSet]:
    """Yield the set with its default spells, then with each other spell or pair that it completes.

    A hand that may change is not aimed at its own wizard, whom it might stab, if that is the
    default.
    """
    choices: list[tuple[dict[str, str], list[engine.play.Completion]]]
    choices = [({}, [row for row in completions if row.default])]
    choices += [({row.hand: row.spell}, [row]) for row in completions if not row.default]
    lefts, rights = ([row for row in completions if row.hand == hand] for hand in "LR")
    choices += [
        ({"L": left.spell, "R": right.spell}, [left, right])
        for left, right in product(lefts, rights)
        if not (left.default and right.default)
    ]
    for spells, cast in choices:
        subjects = {
            row.hand: _legal_targets(
                sheet, row.spell, aims.targets_for(aims.rules.spells[row.spell])
            )
            for row in cast
        }
        for row in cast:
            choice = sheet.subjects.get(row.spell)
            if row.hand in seat.changed_letters and choice and choice.default == aims.own:
                ids = subjects[row.hand]
                subjects[row.hand] = ["" if id == aims.own else id for id in ids]
        for hand, letter in zip("LR", pair, strict=True):
            if letter == STAB:
                subjects[hand] = _legal_targets(sheet, "stab", aims.attack_targets())[:1]
        subjects = {hand: ids for hand, ids in subjects.items() if ids}
        for chosen in product(*subjects.values()):
            named = {hand: id for hand, id in zip(subjects, chosen, strict=True) if id}
            yield engine.orders.HandSet(pair[0], pair[1], spells, named)


def _with_targets_if_changed(
    seat: PracticeSeat,
    aims: Aims,
    sheet: engine.play.Sheet,
    hands: engine.play.SetSheet,
    plans: Iterable[engine.orders.HandSet],
) -> Iterator[engine.orders.HandSet]:
    """Yield the sets, also with a spare target of the spells that only a changed hand completes."""
    for plan in plans:
        subjects: dict[str, list[str]] = {}
        for hand, letters in seat.changed_letters.items():
            if hand in plan.subjects:
                continue
            rows = (
                row
                for letter in letters
                for row in hands.completions.get(with_letter(plan, hand, letter).pair, ())
                if row.hand == hand and row.spell in sheet.subjects
                if not aims.is_cast_on_self(seat.rules.spells[row.spell])
            )
            options = {id for row in rows for id in sheet.subjects[row.spell].options}
            subjects[hand] = ["", *[id for id in aims.spare_targets() if id in options][:1]]
        for chosen in product(*subjects.values()):
            more = {hand: id for hand, id in zip(subjects, chosen, strict=True) if id}
            yield replace(plan, subjects={**plan.subjects, **more})


def _legal_targets(sheet: engine.play.Sheet, spell: str, wanted: list[str]) -> list[str]:
    choice = sheet.subjects.get(spell)
    return [id for id in wanted if id in choice.options] if choice is not None else []
