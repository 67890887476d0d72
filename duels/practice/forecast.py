"""Simulation of orders against the rivals' likely moves."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import engine
from duels.practice.evaluation import position_value
from duels.practice.imagined import imagine
from duels.practice.legal import without_faults
from duels.practice.scenarios import scenarios
from duels.practice.seat import Seat

CAUTION: Final = 0.3
"""Weight of the worst case against the average."""
DICE: Final = engine.Dice(b"imagined")


class Forecast:
    """A simulation of the coming turn. With `hasted`, the wizard's second set is included."""

    def __init__(self, seat: Seat, *, hasted: bool = False) -> None:
        self.own = seat.wizard
        self.needs = seat.needs
        self.imagined = imagine(seat.view, hasted=hasted)
        self.scenarios = scenarios(seat.view, self.imagined, seat.needs, seat.letters, seat.held)

    def value_of_orders(self, orders: engine.Orders, depth: int | None = None) -> float:
        """Return the value of these orders in the `depth` likeliest scenarios (None: in all).

        This is the average, shifted towards the worst case by `CAUTION`.
        """
        position = self.imagined.position
        mine = without_faults(position, self.own, self._with_imagined_names(orders))
        values: list[tuple[float, float]] = []
        for scenario in self.scenarios[:depth]:
            everybody = {self.own: mine, **scenario.orders}
            after, _ = engine.resolve(position, everybody, {}, DICE, sink=engine.drop_events)
            values.append((position_value(after, self.own, self.needs), scenario.weight))
        whole = sum(weight for _, weight in values)
        average = sum(value * weight for value, weight in values) / whole
        return (1 - CAUTION) * average + CAUTION * min(value for value, _ in values)

    def _with_imagined_names(self, orders: engine.Orders) -> engine.Orders:
        """Return the orders with the ids that beings have in the simulated position."""
        name = self.imagined.id_of
        sets = tuple(
            replace(hands, subjects=_renamed(hands.subjects, name)) if hands.subjects else hands
            for hands in orders.sets
        )
        return engine.Orders(
            sets=sets,
            victims={
                name(key): tuple(name(victim) for victim in victims)
                for key, victims in orders.victims.items()
            },
            release=orders.release,
            release_subject=name(orders.release_subject),
            bank=orders.bank,
            permanency=orders.permanency,
        )


def _renamed(subjects: Mapping[str, str], name: Callable[[str], str]) -> dict[str, str]:
    return {hand: name(subject) for hand, subject in subjects.items()}
