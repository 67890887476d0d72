"""What the working tables of all orders of play have in common, for phases that serve each."""

from collections.abc import Callable
from typing import Protocol

from engine.events import Event
from engine.orders import Orders
from engine.position import ALIVE, Position
from engine.resolve.table import Being
from engine.rulesets import Ruleset


class WorkingTable(Protocol):
    """By which rules a turn is played, what was written for it, and who hears of it."""

    @property
    def rules(self) -> Ruleset: ...

    @property
    def emit(self) -> Callable[[Event], object] | None: ...

    def orders_of(self, wizard: str, /) -> Orders: ...


def living(position: Position) -> list[Being]:
    """On whom anything can be in force: standing wizards by seat, then monsters by number."""
    beings: list[Being] = [*position.standing()]
    beings += [monster for monster in position.monsters if monster.state == ALIVE]
    return beings
