"""Search for orders with which the wizard survives all rivals' moves in the coming turn."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Final, TypeVar

import engine.play
from duels.practice.imagined import makes_gestures_next_turn, opponents_of
from duels.practice.rival_moves import KILLING_HARM, RivalMoves
from duels.practice.scenarios import USUAL_LETTERS, possible_gestures
from duels.practice.seat import PracticeSeat
from engine.orders import Orders
from engine.play import STAB, STANDING, Position

# Maximum number of sets of all rivals that are considered, the most harmful ones first.
MAX_SETS: Final = 60
# Maximum number of rivals' moves against which orders are simulated, most harmful first.
MAX_MOVES: Final = 40
# Number of simulated turns after which a search ends, or fewer if there are many beings.
MAX_SIMULATIONS: Final = 800
MAX_BEINGS_FOR_FULL_SEARCH: Final = 4
ALL_GESTURES: Final = (USUAL_LETTERS + "C>",) * 2
IMAGINED_DICE: Final = engine.play.Dice(b"imagined")

Option = TypeVar("Option")


class Dangers:
    """All moves that the rivals could make according to the view, most harmful first.

    If there are several rivals, each move of one rival is combined with the most harmful and with
    the quietest moves of the others. `outcomes_of` returns all orders in the simulated position
    that may result from orders of the wizard, who must survive with all of them.
    """

    def __init__(
        self, seat: PracticeSeat, position: Position, outcomes_of: Callable[[Orders], list[Orders]]
    ) -> None:
        self.position = position
        self.outcomes_of = outcomes_of
        self.own = seat.wizard
        self.simulations = 0
        beings = len(position.wizards) + len(position.monsters)
        self.allowed = (
            MAX_SIMULATIONS * MAX_BEINGS_FOR_FULL_SEARCH // max(beings, MAX_BEINGS_FOR_FULL_SEARCH)
        )
        letters = _possible_gestures(seat)
        most = MAX_SETS // max(len(letters), 1)
        self.own_moves = [Orders()]  # the worst attacks are added, as rivals may reflect them
        for foe in letters:
            attacks = RivalMoves(position, self.own, foe, ALL_GESTURES).legal_moves(1)
            self.own_moves += attacks[:1]
        moves = {
            foe: self._moves_by_harm(
                foe, RivalMoves(position, foe, self.own, theirs).legal_moves(most)
            )
            for foe, theirs in letters.items()
        }
        most_harmful = {foe: theirs[0] for foe, theirs in moves.items()}
        quietest = {foe: min(theirs, key=_action_count) for foe, theirs in moves.items()}
        rounds: dict[str, Mapping[str, Orders]] = {}
        for foe, own_moves in moves.items():
            for move in own_moves:
                for others in (most_harmful, quietest):
                    everybody = {**others, foe: move}
                    rounds.setdefault(repr(everybody), everybody)
        harms = {key: self._harm_of(each) for key, each in rounds.items()}
        worst = sorted(rounds, key=lambda key: -harms[key])[:MAX_MOVES]
        self.rounds = [rounds[key] for key in worst]

    def surviving_options(
        self,
        options: Iterable[Option],
        orders_of: Callable[[Option], Orders],
        count: int,
        searches: int = 1,
    ) -> list[Option]:
        """Return up to `count` options with which the wizard survives every move.

        The search ends after `MAX_SIMULATIONS`, which `searches` similar searches share.
        """
        found: list[Option] = []
        last = self.simulations + self.allowed // searches
        for option in options:
            if all(map(self._survives, self.outcomes_of(orders_of(option)))):
                found.append(option)
            if len(found) == count or self.simulations > last:
                break
        return found

    def least_deadly_options(
        self, options: Iterable[Option], orders_of: Callable[[Option], Orders], count: int
    ) -> list[Option]:
        """Return up to `count` of the options with which the fewest moves kill the wizard.

        Ignore options that remain after `MAX_SIMULATIONS`.
        """
        return self._least_deadly(options, orders_of, self.allowed)[0][:count]

    def smallest_share_of_killing_moves(self, options: Iterable[Orders], searches: int) -> float:
        """Return the share of moves that kill the wizard with the least deadly of these orders.

        `searches` is the number of similar searches that share `MAX_SIMULATIONS`.
        """
        allowed = self.allowed // searches
        found, deaths = self._least_deadly(options, lambda orders: orders, allowed)
        turns = sum(len(self.outcomes_of(orders)) for orders in found[:1]) * len(self.rounds)
        return deaths / max(turns, 1)

    def _least_deadly(
        self, options: Iterable[Option], orders_of: Callable[[Option], Orders], allowed: int
    ) -> tuple[list[Option], int]:
        """Return the options with which the wizard dies in the fewest turns, and that number."""
        found: list[Option] = []
        fewest = 0
        last = self.simulations + allowed
        for option in options:
            deaths = self._death_count(orders_of(option), fewest + 1 if found else None)
            if deaths < fewest:
                found.clear()
            if not found or deaths == fewest:
                found.append(option)
                fewest = deaths
            if self.simulations > last:
                break
        return found, fewest

    def _death_count(self, own_orders: Orders, most: int | None) -> int:
        """Return in how many simulated turns the wizard dies, but not more than `most`."""
        deaths = (
            1
            for mine in self.outcomes_of(own_orders)
            for each in self.rounds
            if self._damage_after({self.own: mine, **each}) == KILLING_HARM
        )
        return sum(islice(deaths, most))

    def safest_options(
        self, options: Sequence[Option], orders_of: Callable[[Option], Orders], count: int
    ) -> list[Option]:
        """Return up to `count` options with which the wizard survives the most moves."""
        return self.surviving_options(options, orders_of, count) or self.least_deadly_options(
            options, orders_of, count
        )

    def _survives(self, own_orders: Orders) -> bool:
        for number, each in enumerate(self.rounds):
            if self._damage_after({self.own: own_orders, **each}) == KILLING_HARM:
                self.rounds.insert(0, self.rounds.pop(number))  # try this move first next time
                return False
        return True

    def _moves_by_harm(self, foe: str, moves: list[Orders]) -> list[Orders]:
        """Return the rival's moves, most harmful first."""
        harms = [self._harm_of({foe: move}) for move in moves]
        ranked = sorted(range(len(moves)), key=lambda number: -harms[number])
        return [moves[number] for number in ranked]

    def _harm_of(self, rival_orders: Mapping[str, Orders]) -> int:
        """Return the damage to the wizard, who either does nothing or attacks a rival."""
        harm = 0
        for own in self.own_moves:
            if harm < KILLING_HARM:
                harm = max(harm, self._damage_after({self.own: own, **rival_orders}))
        return harm

    def _damage_after(self, orders_by_wizard: Mapping[str, Orders]) -> int:
        """Return the damage after these orders, or `KILLING_HARM` for a wizard out of the duel."""
        self.simulations += 1
        after, _ = engine.play.resolve(
            self.position, orders_by_wizard, {}, IMAGINED_DICE, sink=engine.play.drop_events
        )
        own = after.wizard(self.own)
        return own.damage if own.standing == STANDING else KILLING_HARM


def _action_count(orders: Orders) -> int:
    """Return the number of spells and stabs in these orders."""
    sets = sum(len(made.spells) + (STAB in made.pair) for made in orders.sets)
    return sets + orders.release


def _possible_gestures(seat: PracticeSeat) -> dict[str, tuple[str, str]]:
    """Return the gestures that each rival's hands can make. Rivals who do not act make none."""
    view = seat.view
    return {
        foe: possible_gestures(view, foe, seat.letters, seat.held.get(foe, ""))
        if makes_gestures_next_turn(view, foe)
        else ("-", "-")
        for foe in opponents_of(view)
    }
