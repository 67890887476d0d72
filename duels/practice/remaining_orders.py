"""The choice of orders other than gestures: monsters, the bank, captures and advance answers."""

from collections.abc import Iterator
from dataclasses import replace

import engine.orders
import engine.play
from duels.practice.forecast import Forecast
from duels.practice.hands import hand_to_bind
from duels.practice.seat import Seat
from duels.practice.spell_values import spell_value


def with_remaining_orders(seat: Seat, orders: engine.orders.Orders) -> engine.orders.Orders:
    """Return the orders with all other fields on the order sheet filled in."""
    sheet = seat.sheet(orders)
    named = {held.wizard for held in sheet.held if len(held.options) > 1}
    orders = replace(
        orders,
        charmed=seat.letters,
        held={wizard: hand for wizard, hand in seat.held.items() if wizard in named},
        answers={
            question.kind: preferred_answer(seat, question.kind) for question in sheet.advance
        },
    )
    future = Forecast(seat, hasted=len(orders.sets) > 1)
    for capture in sheet.captures:
        if capture.hands:
            orders = future.best_orders(_with_marked_hands(orders, capture))
        else:
            orders = future.safest_orders(_with_captured_spells(seat, orders, capture))
    if sheet.bank is not None:
        orders = future.best_orders(_with_bank_releases(seat, orders, sheet.bank))
    for question in sheet.advance:
        if question.is_raised:
            orders = future.safest_orders(_with_advance_answers(orders, question))
    for monster in seat.sheet(orders).monsters:
        orders = max(_with_attack_victims(seat, orders, monster), key=future.value_of_orders)
    return orders


def _with_attack_victims(
    seat: Seat, orders: engine.orders.Orders, monster: engine.play.MonsterSheet
) -> Iterator[engine.orders.Orders]:
    """Yield the orders with each sensible victim of the monster, or with its default victim."""
    victims = [id for id in seat.aims.attack_targets() if id in monster.options]
    for victim in victims or [monster.default]:
        attacks = {**orders.victims, monster.key: (victim,) * monster.attacks}
        yield replace(orders, victims=attacks)


def _with_bank_releases(
    seat: Seat, orders: engine.orders.Orders, bank: engine.play.BankSheet
) -> Iterator[engine.orders.Orders]:
    yield orders
    for subject in seat.aims.targets_for(seat.rules.spells[bank.spell]):
        if subject in bank.options:
            yield replace(orders, release=True, release_subject=subject)
    if not bank.options:
        yield replace(orders, release=True)


def _with_marked_hands(
    orders: engine.orders.Orders, capture: engine.play.CaptureChoice
) -> Iterator[engine.orders.Orders]:
    """Yield the orders without a marked hand, then with each possible hand. rules: W34, W35"""
    yield orders
    for hand, _ in capture.candidates:
        if capture.kind == "bank":
            yield replace(orders, bank=hand)
        else:
            yield replace(orders, permanency=hand)


def _with_captured_spells(
    seat: Seat, orders: engine.orders.Orders, capture: engine.play.CaptureChoice
) -> Iterator[engine.orders.Orders]:
    """Yield the orders with each hand whose spell can be captured, most valuable spell first."""
    needs = seat.needs[seat.wizard]
    for hand, _ in sorted(capture.candidates, key=lambda row: -spell_value(row[1], needs)):
        if capture.kind == "bank":
            yield replace(orders, bank=hand)
        else:
            yield replace(orders, permanency=hand)


def _with_advance_answers(
    orders: engine.orders.Orders, question: engine.play.AdvanceQuestion
) -> Iterator[engine.orders.Orders]:
    """Yield the orders with each possible answer, starting with the current answer."""
    present = orders.answers[question.kind]
    for answer in (present, *(option for option in question.options if option != present)):
        yield replace(orders, answers={**orders.answers, question.kind: answer})


def preferred_answer(seat: Seat, kind: str, subject: str = "") -> str:
    """Return the opponent's preferred answer to a question of this kind."""
    if kind == "elemental":
        return _preferred_element(seat)
    return hand_to_bind(seat.view, subject or next(iter(seat.aims.foes), ""), kind)


def _preferred_element(seat: Seat) -> str:
    """Return "ice" if the wizard resists cold or an opponent resists heat, otherwise "fire".

    A wizard who resists heat always chooses fire.
    """

    def resists(wizard: str, kind: str) -> bool:
        return kind in seat.aims.effects[wizard]

    heat, cold = (seat.rules.resistances.get(element, "") for element in ("fire", "ice"))
    if resists(seat.wizard, heat):
        return "fire"
    others = any(resists(foe, heat) for foe in seat.aims.foes)
    return "ice" if resists(seat.wizard, cold) or others else "fire"
