"""Search for orders that survive every move the rivals could make in the coming turn."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeVar

import engine.play
from duels.practice.imagined import makes_gestures_next_turn, opponents_of
from duels.practice.rival_moves import KILL, RivalMoves
from duels.practice.scenarios import possible_gestures
from duels.practice.seat import Seat
from engine.orders import Orders
from engine.play import STANDING, Position

MAX_SETS: Final = 60
"""Maximum number of sets considered for all rivals together. Each rival's most harmful ones
count."""
MAX_MOVES: Final = 40
"""Maximum number of rival moves to simulate orders against. The most harmful ones count."""
MAX_SIMULATIONS: Final = 800
"""Number of simulated turns after which a search ends. With many beings it ends earlier."""
FEW_BEINGS: Final = 4
DICE: Final = engine.play.Dice(b"imagined")

Option = TypeVar("Option")


class Dangers:
    """All moves that the rivals could make according to the view, most harmful first.

    If there are several rivals, each move by one is combined with the others' worst and mildest
    moves.
    """

    def __init__(self, seat: Seat, position: Position) -> None:
        self.position = position
        self.own = seat.wizard
        self.simulations = 0
        beings = len(position.wizards) + len(position.monsters)
        self.allowed = MAX_SIMULATIONS * FEW_BEINGS // max(beings, FEW_BEINGS)
        letters = _possible_gestures(seat)
        most = MAX_SETS // max(len(letters), 1)
        moves = {
            foe: self._moves_by_harm(
                foe, RivalMoves(position, foe, self.own, theirs).legal_moves(most)
            )
            for foe, theirs in letters.items()
        }
        rounds: dict[str, Mapping[str, Orders]] = {}
        for foe, own_moves in moves.items():
            for move in own_moves:
                for end in (0, -1):
                    others = {other: theirs[end] for other, theirs in moves.items()}
                    everybody = {**others, foe: move}
                    rounds.setdefault(repr(everybody), everybody)
        harms = {
            key: self._damage_after({self.own: Orders(), **each}) for key, each in rounds.items()
        }
        worst = sorted(rounds, key=lambda key: -harms[key])[:MAX_MOVES]
        self.rounds = [rounds[key] for key in worst]

    def surviving_options(
        self, options: Iterable[Option], outcomes_of: Callable[[Option], list[Orders]], count: int
    ) -> list[Option]:
        """Return the first `count` options that survive every move.

        `outcomes_of` returns the orders that may result from an option, which must all survive.
        There may be fewer options or none. The search stops after `MAX_SIMULATIONS`.
        """
        found: list[Option] = []
        last = self.simulations + self.allowed
        for option in options:
            if all(map(self._survives, outcomes_of(option))):
                found.append(option)
            if len(found) == count or self.simulations > last:
                break
        return found

    def least_deadly_options(
        self, options: Iterable[Option], outcomes_of: Callable[[Option], list[Orders]], count: int
    ) -> list[Option]:
        """Return the first `count` options among those that are deadly against the fewest moves.

        Ignore options that remain after `MAX_SIMULATIONS`.
        """
        found: dict[int, list[Option]] = {}
        last = self.simulations + self.allowed
        for option in options:
            deaths = sum(
                self._damage_after({self.own: mine, **each}) == KILL
                for mine in outcomes_of(option)
                for each in self.rounds
            )
            found.setdefault(deaths, []).append(option)
            if self.simulations > last:
                break
        return found[min(found)][:count]

    def _survives(self, own_orders: Orders) -> bool:
        for number, each in enumerate(self.rounds):
            if self._damage_after({self.own: own_orders, **each}) == KILL:
                self.rounds.insert(0, self.rounds.pop(number))  # likely to kill others too
                return False
        return True

    def _moves_by_harm(self, foe: str, moves: list[Orders]) -> list[Orders]:
        """Return the rival's moves, most harmful first."""
        harms = [self._damage_after({self.own: Orders(), foe: move}) for move in moves]
        ranked = sorted(range(len(moves)), key=lambda number: -harms[number])
        return [moves[number] for number in ranked]

    def _damage_after(self, orders_by_wizard: Mapping[str, Orders]) -> int:
        """Return the wizard's damage after these orders, or `KILL` if they have left the duel."""
        self.simulations += 1
        after, _ = engine.play.resolve(
            self.position, orders_by_wizard, {}, DICE, sink=engine.play.drop_events
        )
        own = after.wizard(self.own)
        return own.damage if own.standing == STANDING else KILL


def _possible_gestures(seat: Seat) -> dict[str, tuple[str, str]]:
    """Return the gestures that each rival's hands can make, none for rivals who do not act."""
    view = seat.view
    return {
        foe: possible_gestures(view, foe, seat.letters, seat.held.get(foe, ""))
        if makes_gestures_next_turn(view, foe)
        else ("-", "-")
        for foe in opponents_of(view)
    }
