"""Search for the orders of a turn whose result is closest to its record.

If a record leaves something open, the possible alternatives are tried.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Final, NamedTuple

from engine.battles.compare import Compared, compare_turn
from engine.battles.document import Battle, Turn
from engine.battles.outcome import Outcome, Told
from engine.battles.playing import Played, play
from engine.battles.telling import Telling, wanted_draws
from engine.check import check
from engine.json_values import InvalidData
from engine.orders import Orders
from engine.position import Position
from engine.resolve import IllegalOrders

MOST_WAYS: Final = 500
"""Most combinations of answers to a turn's open questions that are tried."""


class Attempt(NamedTuple):
    """One way in which a turn may have been played, and its result."""

    played: Played
    outcome: Outcome
    compared: tuple[Compared, ...]

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
        self.best: Attempt | None = None
        self.fault = ""

    def best_attempt(self) -> tuple[Attempt | None, str]:
        """Return the best attempt, and the fault that made the recorded orders illegal, or "".

        If no way is legal, the faulty parts are left out and the rest is resolved.
        """
        try:
            telling = Telling(self.battle, self.turn, self.before)
            for answers in self.answers(telling.questions):
                self.tries(telling, answers)
                if self.best is not None and not self.best.mismatches:
                    return self.best, ""
            if self.best is None:
                return self.attempt(self.lawful(telling)), self.fault
        except InvalidData as error:
            return None, str(error)
        return self.best, ""

    def answers(self, questions: Sequence[Sequence[object]]) -> Iterator[tuple[int, ...]]:
        """Yield answers to the open questions, by number.

        Change one answer at a time as long as that helps. Then yield some of the combinations.
        """
        standing = (0,) * len(questions)
        yield standing
        is_better = True
        while is_better:
            is_better = False
            for number, ways in enumerate(questions):
                for answer in range(len(ways)):
                    before = self.best
                    changed = (*standing[:number], answer, *standing[number + 1 :])
                    yield changed
                    if self.best is not before:
                        is_better = True
                        standing = changed
        yield from islice(product(*(range(len(ways)) for ways in questions)), MOST_WAYS)

    def tries(self, telling: Telling, answers: tuple[int, ...]) -> None:
        """Resolve the turn with these answers, if they are new, and keep the best attempt."""
        if answers in self.tried:
            return
        self.tried.add(answers)
        ways = [each[n] for each, n in zip(telling.questions, answers, strict=True)]
        try:
            found = self.attempt(telling.orders(ways))
        except IllegalOrders as error:
            self.fault = self.fault or str(error)
            return
        if self.best is None or found.mismatches < self.best.mismatches:
            self.best = found

    def attempt(self, orders: Mapping[str, Orders]) -> Attempt:
        """Resolve the turn in one way. Raises IllegalOrders."""
        played = play(self.before, orders, wanted_draws(self.battle, self.turn), self.uncounted())
        ordered = {order.monster: order.at for order in self.turn.orders}
        outcome = Told(self.before, played).outcome(ordered)
        return Attempt(played, outcome, tuple(compare_turn(self.battle, self.turn, outcome)))

    def lawful(self, telling: Telling) -> dict[str, Orders]:
        """Return the likeliest orders, without the parts that break a rule."""
        ways = [each[0] for each in telling.questions]
        refused: set[tuple[str, str]] = set()
        while True:
            orders = telling.orders(ways, refused)
            faults = {(id, f.field) for id in orders for f in check(self.before, id, orders[id])}
            if faults <= refused:  # the remaining faults do not depend on these fields
                faulty = {id for id, _ in faults}
                return {id: own for id, own in orders.items() if id not in faulty}
            refused |= faults

    def uncounted(self) -> dict[str, int]:
        """Return damage that was recorded but never taken off, by being."""
        found: dict[str, int] = {}
        for attack in self.turn.attacks:
            if attack.is_uncounted and attack.damage:
                found[attack.at] = found.get(attack.at, 0) + attack.damage
        return found
