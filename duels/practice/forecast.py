"""What comes of orders, imagined against each thing that the rivals may do."""

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
"""How much the worst that may happen weighs beside what happens on the average."""
DICE: Final = engine.Dice(b"imagined")


class Forecast:
    """The coming turn in imagination; `hasted` says whether a second set of theirs counts."""

    def __init__(self, seat: Seat, *, hasted: bool = False) -> None:
        self.own = seat.wizard
        self.needs = seat.needs
        self.imagined = imagine(seat.view, hasted=hasted)
        self.scenarios = scenarios(seat.view, self.imagined, seat.needs, seat.letters, seat.held)

    def value_of_orders(self, orders: engine.Orders, depth: int | None = None) -> float:
        """How these orders fare in so many of the likeliest scenarios, with an eye on the worst."""
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
        """The same orders with the names that beings have in the imagined position."""
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
