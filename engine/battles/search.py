"""Search for the orders of a turn whose result is closest to its record.

If the record leaves a part of the orders open, the possible alternatives are tried.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Final, NamedTuple

from engine.battles.compare import Comparison, compare_turn
from engine.battles.document import Battle, Turn
from engine.battles.outcome import Outcome, OutcomeCollector
from engine.battles.recorded_input import RecordedInput, recorded_draws
from engine.battles.resolution import PlayedTurn, resolve_turn
from engine.json_values import InvalidData
from engine.legality.check import check
from engine.orders import Orders
from engine.positions.position import Position
from engine.resolve import IllegalOrders

MAX_ALTERNATIVES: Final = 500
"""Maximum number of combinations of answers to a turn's open questions that are tried."""


class Attempt(NamedTuple):
    """One possible way to play a turn, and its result."""

    played: PlayedTurn
    outcome: Outcome
    compared: tuple[Comparison, ...]

    @property
    def mismatches(self) -> int:
        return sum(not one.agrees for one in self.compared)


class Search:
    """A search that resolves a turn in several ways and keeps the best."""

    def __init__(self, battle: Battle, turn: Turn, before: Position) -> None:
        self.battle = battle
        self.turn = turn
        self.before = before
        self.tried: set[tuple[int, ...]] = set()
        self.best_orders: Attempt | None = None
        self.fault = ""

    def best_attempt(self) -> tuple[Attempt | None, str]:
        """Return the best attempt, and the fault that made the recorded orders illegal, or "".

        If no way of playing the turn is legal, the faulty parts are left out and the rest is
        resolved.
        """
        try:
            recorded_input = RecordedInput(self.battle, self.turn, self.before)
            for answers in self.answer_combinations(recorded_input.questions):
                self.try_answers(recorded_input, answers)
                if self.best_orders is not None and not self.best_orders.mismatches:
                    return self.best_orders, ""
            if self.best_orders is None:
                return self.resolve_orders(self.legal_orders(recorded_input)), self.fault
        except InvalidData as error:
            return None, str(error)
        return self.best_orders, ""

    def answer_combinations(
        self, questions: Sequence[Sequence[object]]
    ) -> Iterator[tuple[int, ...]]:
        """Yield answers to the open questions, as the numbers of their alternatives.

        Change one answer at a time as long as that helps. Then yield some of the combinations.
        """
        standing = (0,) * len(questions)
        yield standing
        is_better = True
        while is_better:
            is_better = False
            for number, alternatives in enumerate(questions):
                for answer in range(len(alternatives)):
                    before = self.best_orders
                    changed = (*standing[:number], answer, *standing[number + 1 :])
                    yield changed
                    if self.best_orders is not before:
                        is_better = True
                        standing = changed
        yield from islice(
            product(*(range(len(alternatives)) for alternatives in questions)), MAX_ALTERNATIVES
        )

    def try_answers(self, recorded_input: RecordedInput, answers: tuple[int, ...]) -> None:
        """Resolve the turn with these answers, if they are new, and keep the best attempt."""
        if answers in self.tried:
            return
        self.tried.add(answers)
        alternatives = [each[n] for each, n in zip(recorded_input.questions, answers, strict=True)]
        try:
            found = self.resolve_orders(recorded_input.build_orders(alternatives))
        except IllegalOrders as error:
            self.fault = self.fault or str(error)
            return
        if self.best_orders is None or found.mismatches < self.best_orders.mismatches:
            self.best_orders = found

    def resolve_orders(self, orders: Mapping[str, Orders]) -> Attempt:
        """Resolve the turn with these orders. Raises IllegalOrders."""
        played = resolve_turn(
            self.before, orders, recorded_draws(self.battle, self.turn), self.uncounted_damage()
        )
        ordered = {order.monster: order.at for order in self.turn.orders}
        outcome = OutcomeCollector(self.before, played).whole_outcome(ordered)
        return Attempt(played, outcome, tuple(compare_turn(self.battle, self.turn, outcome)))

    def legal_orders(self, recorded_input: RecordedInput) -> dict[str, Orders]:
        """Return the likeliest orders, without the parts that break a rule."""
        alternatives = [each[0] for each in recorded_input.questions]
        refused: set[tuple[str, str]] = set()
        while True:
            orders = recorded_input.build_orders(alternatives, refused)
            faults = {(id, f.field) for id in orders for f in check(self.before, id, orders[id])}
            if faults <= refused:  # leaving out these fields no longer helps
                faulty = {id for id, _ in faults}
                return {id: own for id, own in orders.items() if id not in faulty}
            refused |= faults

    def uncounted_damage(self) -> dict[str, int]:
        """Return, for each being, the damage that was recorded but never deducted."""
        found: dict[str, int] = {}
        for attack in self.turn.attacks:
            if attack.is_uncounted and attack.damage:
                found[attack.at] = found.get(attack.at, 0) + attack.damage
        return found
