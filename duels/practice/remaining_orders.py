"""The choice of orders other than gestures: monsters, the bank, captures and advance answers."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import engine.orders
import engine.play
from duels.practice.forecast import Forecast
from duels.practice.hands import most_harmed_hand
from duels.practice.seat import PracticeSeat
from duels.practice.spell_values import spell_value


def with_remaining_orders(future: Forecast, orders: engine.orders.Orders) -> engine.orders.Orders:
    """Return the orders with all other fields on the order sheet filled in."""
    seat = future.seat
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
    needs = seat.needs[seat.wizard]
    for capture in sheet.captures:
        if capture.hands:  # mark a hand, or none. rules: W34, W35
            marked = _with_captures(orders, capture.kind, capture.candidates)
            orders = future.best_orders([orders, *marked])
        else:  # the most valuable spell first, and last the spell that is banked without a mark
            ranked = sorted(capture.candidates, key=lambda row: -spell_value(row[1], needs))
            marked = _with_captures(orders, capture.kind, ranked)
            orders = future.safest_orders([*marked, orders])
    if sheet.bank is not None:
        orders = future.best_orders(with_bank_releases(seat, orders, sheet.bank))
    for question in sheet.advance:
        if question.is_raised:
            orders = future.safest_orders(_with_advance_answers(orders, question))
    for monster in seat.sheet(orders).monsters:
        orders = max(_with_attack_victims(seat, orders, monster), key=future.value_of_orders)
    return orders


def _with_attack_victims(
    seat: PracticeSeat, orders: engine.orders.Orders, monster: engine.play.MonsterSheet
) -> Iterator[engine.orders.Orders]:
    """Yield the orders with each sensible victim of the monster, or with its default victim."""
    victims = [id for id in seat.aims.attack_targets() if id in monster.options]
    for victim in victims or [monster.default]:
        attacks = {**orders.victims, monster.key: (victim,) * monster.attacks}
        yield replace(orders, victims=attacks)


def with_bank_releases(
    seat: PracticeSeat, orders: engine.orders.Orders, bank: engine.play.BankSheet
) -> Iterator[engine.orders.Orders]:
    """Yield the orders without a release, and then with each sensible release."""
    yield orders
    for subject in seat.aims.targets_for(seat.rules.spells[bank.spell]):
        if subject in bank.options:
            yield replace(orders, release=True, release_subject=subject)
    if not bank.options:
        yield replace(orders, release=True)


def with_captures_and_releases(
    seat: PracticeSeat, orders: engine.orders.Orders
) -> Iterator[engine.orders.Orders]:
    """Yield the orders, and then with each capture of a spell and each release."""
    captured = [orders]
    if seat.aims.effects[seat.wizard] & {*seat.rules.windows}:
        for capture in seat.sheet(orders).captures:
            marked = _with_captures(orders, capture.kind, capture.candidates)
            captured += list(marked)
    for each in captured:
        if seat.blank.bank is None:
            yield each
        else:
            yield from with_bank_releases(seat, each, seat.blank.bank)


def _with_captures(
    orders: engine.orders.Orders, kind: str, candidates: Iterable[tuple[str, str]]
) -> Iterator[engine.orders.Orders]:
    """Yield the orders with the capture of each hand's spell."""
    for hand, _ in candidates:
        yield replace(orders, bank=hand) if kind == "bank" else replace(orders, permanency=hand)


def _with_advance_answers(
    orders: engine.orders.Orders, question: engine.play.AdvanceQuestion
) -> Iterator[engine.orders.Orders]:
    """Yield the orders with each possible answer, starting with the current answer."""
    present = orders.answers[question.kind]
    for answer in (present, *(option for option in question.options if option != present)):
        yield replace(orders, answers={**orders.answers, question.kind: answer})


def preferred_answer(seat: PracticeSeat, kind: str, subject: str = "") -> str:
    """Return the opponent's preferred answer to a question of this kind."""
    if kind == "elemental":
        return _preferred_element(seat)
    return most_harmed_hand(seat.view, subject or next(iter(seat.aims.foes), ""), kind)


def _preferred_element(seat: PracticeSeat) -> str:
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
