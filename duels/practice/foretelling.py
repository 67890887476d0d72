"""What comes of orders, imagined against each thing that the rivals may do."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import engine
from duels.practice.foresight import scenarios
from duels.practice.imagined import imagined
from duels.practice.lawful import lawful
from duels.practice.outlook import outlook
from duels.practice.seat import Seat

CAUTION: Final = 0.3
"""How much the worst that may happen weighs beside what happens on the average."""
DICE: Final = engine.Dice(b"imagined")


class Foretelling:
    """The coming turn in imagination; `hasted` says whether a second set of his counts."""

    def __init__(self, seat: Seat, *, hasted: bool = False) -> None:
        self.own = seat.wizard
        self.needs = seat.needs
        self.scene = imagined(seat.view, hasted=hasted)
        self.scenarios = scenarios(seat.view, self.scene, seat.needs, seat.letters)

    def balance(self, orders: engine.Orders, depth: int | None = None) -> float:
        """How these orders fare in so many of the likeliest scenarios, with an eye on the worst."""
        position = self.scene.position
        mine = lawful(position, self.own, self._in_scene(orders))
        values: list[tuple[float, float]] = []
        for scenario in self.scenarios[:depth]:
            everybody = {self.own: mine, **scenario.orders}
            after, _ = engine.resolve(position, everybody, {}, DICE, sink=engine.drop)
            values.append((outlook(after, self.own, self.needs), scenario.weight))
        whole = sum(weight for _, weight in values)
        average = sum(value * weight for value, weight in values) / whole
        return (1 - CAUTION) * average + CAUTION * min(value for value, _ in values)

    def _in_scene(self, orders: engine.Orders) -> engine.Orders:
        """The same orders with the names that beings have in the imagined position."""
        name = self.scene.id_of
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
