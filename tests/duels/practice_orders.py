"""All legal orders of a wizard, listed without using the practice opponent's code.

The lists contain all pairs of gestures that the sheet allows, with all spells and subjects.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import engine.orders
import engine.play
from engine.gestures import STAB, SURRENDER_PAIR
from engine.positions.position import Position

MAX_ORDERS_TRIED = 400  # maximum number of orders tried for a wizard


def legal_orders(position: Position, wizard: str, rival: str) -> list[engine.orders.Orders]:
    """Return the wizard's legal orders, or a sample if there are too many."""
    sheet = engine.play.sheet(position, wizard)
    found = [engine.orders.Orders()] if not sheet.acts else []
    for made in hand_sets(sheet, 0, rival) if sheet.acts else ():
        first = engine.orders.Orders(sets=(made,))
        if len(sheet.sets) == 1:
            found.append(first)
        else:
            both = engine.play.sheet(position, wizard, first)
            found += [
                engine.orders.Orders(sets=(made, second)) for second in hand_sets(both, 1, rival)
            ]
    if len(found) > MAX_ORDERS_TRIED:
        found = random.Random(MAX_ORDERS_TRIED).sample(found, MAX_ORDERS_TRIED)
    every = [more for orders in found for more in order_variants(position, wizard, rival, orders)]
    return [orders for orders in every if not engine.play.check(position, wizard, orders)]


def hand_sets(sheet: engine.play.Sheet, number: int, rival: str) -> Iterator[engine.orders.HandSet]:
    hands = sheet.sets[number]
    lefts, rights = (
        hand.forced or "".join(option.letter for option in hand.gestures if option.allowed)
        for hand in (hands.left, hands.right)
    )
    for left, right in product(lefts, rights):
        if left + right in (SURRENDER_PAIR, STAB * 2):
            continue
        casts: dict[str, list[tuple[str, str, str]]] = {}
        for row in hands.completions.get(left + right, ()):
            choice = sheet.subjects.get(row.spell)
            subjects = (
                [id for id in choice.options if id in beings_at_start(sheet)] if choice else []
            )
            casts.setdefault(row.hand, []).extend(
                (row.hand, row.spell, subject) for subject in subjects or [""]
            )
        both = casts.pop("BH", [])
        for chosen in [*product(*casts.values()), *((cast,) for cast in both)]:
            stabs = {hand: rival for hand, x in zip("LR", (left, right), strict=True) if x == STAB}
            aims = stabs | {hand: subject for hand, _, subject in chosen if subject}
            yield engine.orders.HandSet(
                left, right, {hand: spell for hand, spell, _ in chosen}, aims
            )


def beings_at_start(sheet: engine.play.Sheet) -> set[str]:
    """Return the beings that exist at the beginning of the turn."""
    return {id for id in sheet.beings if id[0] in "wm" and id[1:].isdigit()}


def order_variants(
    position: Position, wizard: str, rival: str, orders: engine.orders.Orders
) -> Iterator[engine.orders.Orders]:
    """Yield the orders with each choice of element and release. Monsters attack the rival."""
    sheet = engine.play.sheet(position, wizard, orders)
    victims = {m.key: (rival,) * m.attacks for m in sheet.monsters if rival in m.options}
    orders = replace(orders, victims=victims)
    elements = [q.options for q in sheet.advance if q.kind == "elemental" and q.is_raised]
    for element in elements[0] if elements else ("",):
        chosen = replace(orders, answers={"elemental": element}) if element else orders
        yield chosen
        if sheet.bank is not None:
            for subject in [id for id in sheet.bank.options if id in beings_at_start(sheet)] or [
                ""
            ]:
                yield replace(chosen, release=True, release_subject=subject)
