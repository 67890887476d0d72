"""Simulation of orders against the rivals' likely moves."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import Final

import engine.orders
import engine.play
from duels.practice.dangers import IMAGINED_DICE, Dangers
from duels.practice.evaluation import position_value
from duels.practice.hands import with_letter
from duels.practice.imagined import imagine_position
from duels.practice.legal import without_illegal_orders
from duels.practice.scenarios import scenarios
from duels.practice.seat import PracticeSeat
from engine.play import STAB, SURRENDER_PAIR

CAUTION_WEIGHT: Final = 0.3  # weight of the worst case. The average has the rest of the weight
SHIELD: Final = "shield"


class Forecast:
    """A simulation of the coming turn. If `hasted`, it includes the wizard's second set."""

    def __init__(self, seat: PracticeSeat, *, hasted: bool = False) -> None:
        self.seat = seat
        self.own = seat.wizard
        self.needs = seat.needs
        # whether an earlier search has found no orders that survive every rival move
        self.is_doomed = False
        self.imagined = imagine_position(seat.view, is_hasted=hasted)
        if seat.blank.bank is not None:
            subject = self.imagined.simulated_id(seat.blank.bank.subject)
            self.imagined.position.wizard(self.own).bank_subject = subject
        self.scenarios = scenarios(seat.view, self.imagined, seat.needs, seat.letters, seat.held)

    def value_of_orders(self, orders: engine.orders.Orders, depth: int | None = None) -> float:
        """Return the value of these orders in the `depth` likeliest scenarios, or in all of them.

        The value is the average, shifted towards the worst case by `CAUTION_WEIGHT`.
        """
        position = self.imagined.position
        mine = self._imagined_orders(orders)
        values: list[tuple[float, float]] = []
        for scenario in self.scenarios[:depth]:
            everybody = {self.own: mine, **scenario.orders}
            after, _ = engine.play.resolve(
                position, everybody, {}, IMAGINED_DICE, sink=engine.play.drop_events
            )
            values.append((position_value(after, self.own, self.needs), scenario.weight))
        whole = sum(weight for _, weight in values)
        average = sum(value * weight for value, weight in values) / whole
        return (1 - CAUTION_WEIGHT) * average + CAUTION_WEIGHT * min(value for value, _ in values)

    @cached_property
    def dangers(self) -> Dangers:
        return Dangers(self.seat, self.imagined.position, self._imagined_outcomes)

    @cached_property
    def with_second_set(self) -> "Forecast":
        """The forecast for the second set of a hasted wizard."""
        return Forecast(self.seat, hasted=True)

    def safest_orders(self, options: Iterable[engine.orders.Orders]) -> engine.orders.Orders:
        """Return the first of the orders with which the wizard survives the most rival moves."""
        return self._safest_options(list(options), 1)[0]

    def best_orders(self, options: Iterable[engine.orders.Orders]) -> engine.orders.Orders:
        """Return the best of the orders with which the wizard survives the most rival moves."""
        every = list(options)
        return max(self._safest_options(every, len(every)), key=self.value_of_orders)

    def _safest_options(
        self, options: list[engine.orders.Orders], count: int
    ) -> list[engine.orders.Orders]:
        if len(options) == 1:
            return options
        return self.dangers.safest_options(options, lambda orders: orders, count)

    def _imagined_outcomes(self, orders: engine.orders.Orders) -> list[engine.orders.Orders]:
        """Return all orders that may be played in place of these orders.

        If another wizard or chance may change a hand, return the orders with each such hand idle,
        because its spells may fail, and with each other letter that may cause harm.
        """
        changed = [
            _with_changed_hand(orders, hand, letter)
            for hand, letters in self.seat.changed_letters.items()
            for letter in letters[:1] + self._effective_letters(orders, hand, letters[1:])
        ]
        return [self._imagined_orders(each) for each in changed or [orders]]

    def _effective_letters(self, orders: engine.orders.Orders, hand: str, letters: str) -> str:
        """Return the letters that complete a spell other than Shield or stab the wizard.

        A second palm is ignored: without any palm, a stab might kill for certain.
        """
        made = orders.first_set
        completions = self.seat.blank.sets[0].completions
        effective = STAB if made.subjects.get(hand) == self.own else ""
        for letter in letters:
            pair = with_letter(made, hand, letter).pair
            spells = [row.spell for row in completions.get(pair, ()) if row.hand in (hand, "BH")]
            if pair != SURRENDER_PAIR and any(spell != SHIELD for spell in spells):
                effective += letter
        return "".join(letter for letter in letters if letter in effective)

    def _imagined_orders(self, orders: engine.orders.Orders) -> engine.orders.Orders:
        """Return the orders adapted to the simulated position, without illegal fields."""
        return without_illegal_orders(
            self.imagined.position, self.own, self._with_imagined_names(orders)
        )

    def _with_imagined_names(self, orders: engine.orders.Orders) -> engine.orders.Orders:
        """Return the orders with the ids that beings have in the simulated position."""
        name = self.imagined.simulated_id
        sets = tuple(
            replace(hands, subjects={hand: name(being) for hand, being in hands.subjects.items()})
            if hands.subjects
            else hands
            for hands in orders.sets
        )
        return engine.orders.Orders(
            sets=sets,
            victims={
                name(key): tuple(name(victim) for victim in victims)
                for key, victims in orders.victims.items()
            },
            release=orders.release,
            release_subject=name(orders.release_subject),
            bank=orders.bank,
            permanency=orders.permanency,
            answers=orders.answers,
        )


def _with_changed_hand(
    orders: engine.orders.Orders, hand: str, letter: str
) -> engine.orders.Orders:
    """Return the orders with this letter of the hand in every set."""
    return replace(orders, sets=tuple(with_letter(hands, hand, letter) for hands in orders.sets))
