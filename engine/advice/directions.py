"""Cautions about hands to name or mark in orders, and about stopping your own heart.

rules: W18, W27, W34, W35
"""

from collections.abc import Iterator

from engine.advice.foreseen_orders import ForeseenOrders, KnownNames
from engine.events import Banked, Extended
from engine.gestures import BOTH
from engine.ids import SET_HANDS, WizardHand
from engine.legality.scope import directed_wizards, window_of_field
from engine.rules_text.wording import hand_text
from engine.rulesets.choices import CaptureRule, HandNamingTime
from engine.sheet.sheet_types import Caution


def directed_hand_cautions(foreseen: ForeseenOrders) -> Iterator[Caution]:
    """Yield cautions about charmed and paralysed hands left out of orders, and useless marks."""
    rules = foreseen.position.rules
    if rules.hand_named is HandNamingTime.WHEN_IT_ACTS:
        yield from unnamed_hand_cautions(foreseen)
    if rules.capture is CaptureRule.MARKED:
        yield from useless_mark_cautions(foreseen)
    if foreseen.orders.heart:
        text = "You stop your own heart: you will be dead when this turn ends."
        yield Caution("stops_own_heart", "W27", text, "heart")


def unnamed_hand_cautions(foreseen: ForeseenOrders) -> Iterator[Caution]:
    """Yield cautions about this turn's paralyses and charms left out of orders. rules: W18"""
    position, own, orders = foreseen.position, foreseen.own, foreseen.orders
    spells, names = position.rules.spells, KnownNames(position, own)
    paralysis, charm = position.rules.holding, position.rules.charming
    for id in directed_wizards(position, own, paralysis):
        is_open = not position.wizard(id).effects[paralysis].hand
        if is_open and id not in orders.held:
            text = f"You have not named a hand, so your {spells[paralysis].name} holds"
            text = f"{text} {names.possessive(id)} left hand."
            yield Caution("no_hand_named", "W18", text, f"held:{id}")
    for id in directed_wizards(position, own, charm):
        if all(WizardHand(id, hand).text not in orders.charmed for hand in "LR"):
            text = f"You have not chosen a gesture for {names.possessive(id)} hands, so your"
            text = f"{text} {spells[charm].name} does nothing this turn."
            yield Caution("charm_unused", "W18", text, f"charmed:{id}.L")


def useless_mark_cautions(foreseen: ForeseenOrders) -> Iterator[Caution]:
    """Yield cautions about marked hands that complete no spell for the window. rules: W34, W35"""
    orders, own = foreseen.orders, foreseen.own.id
    rules = foreseen.position.rules
    took = {
        type(e) for e in foreseen.events if isinstance(e, Banked | Extended) and e.wizard == own
    }
    for field, mark in orders.marks:
        taking, rule = (Banked, "W34") if field == "bank" else (Extended, "W35")
        if taking in took:
            continue
        name, hand = rules.spells[window_of_field(rules, field)].name, hand_text(mark)
        whose = hand if SET_HANDS[mark].hand == BOTH else f"your {hand}"
        text = f"Your {name} gets no spell from {whose} this turn and stays open."
        if field == "permanency" and Banked in took and mark == orders.bank:
            text = f"The spell of {whose} is banked, so your {name} is not used and stays"
            text = f"{text} open."
        yield Caution("marked_for_nothing", rule, text, field)
