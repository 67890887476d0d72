"""Cautions about legal orders whose effects may be unintended, each with its reason and its rule.

Cautions do not forbid anything. They depend only on what the wizard may see and on the engine's own
resolution of these orders, so they apply under every ruleset. rules: F13
"""

from collections.abc import Iterator

from engine.advice.attacks import attack_cautions, stab_cautions
from engine.advice.banking import banking_cautions
from engine.advice.directions import directed_hand_cautions
from engine.advice.failures import failure_cautions
from engine.advice.foresight import can_take_part_in_turn, foresee_turn
from engine.advice.gestures import gesture_cautions
from engine.advice.harm import harm_cautions
from engine.advice.useless import useless_cautions
from engine.legality.scope import are_choices_asked_later
from engine.orders import Orders
from engine.positions.position import Position
from engine.sheet.sheet_types import Caution
from engine.view.status import status_list


def cautions(position: Position, wizard: str, orders: Orders) -> tuple[Caution, ...]:
    """Return cautions about these orders, for the wizard to read before sealing them.

    Faulty parts of the orders are ignored. Rivals' orders cannot be foreseen, so rivals are assumed
    to do nothing. Raises KeyError for an unknown wizard. rules: F13
    """
    own = position.wizard(wizard)
    if not can_take_part_in_turn(position, own):
        return ()
    found = [*gesture_cautions(position, own, orders)]
    if not are_choices_asked_later(position):
        found += play_cautions(position, wizard, orders)
    return tuple(dict.fromkeys(found))


def play_cautions(position: Position, wizard: str, orders: Orders) -> Iterator[Caution]:
    foreseen = foresee_turn(position, wizard, orders)
    seen = frozenset(
        being.id for being in status_list(position, wizard) if being.damage is not None
    )
    yield from failure_cautions(foreseen)
    yield from harm_cautions(foreseen)
    yield from useless_cautions(foreseen, seen)
    yield from banking_cautions(foreseen)
    yield from directed_hand_cautions(foreseen)
    yield from stab_cautions(foreseen)
    yield from attack_cautions(foreseen)
