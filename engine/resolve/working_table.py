"""What the working tables of all orders of play have in common, for phases that serve each."""

from collections.abc import Callable
from typing import Protocol

from engine.events import Event
from engine.orders import Orders
from engine.rulesets import Ruleset


class WorkingTable(Protocol):
    """By which rules a turn is played, what was written for it, and who hears of it."""

    @property
    def rules(self) -> Ruleset: ...

    @property
    def emit(self) -> Callable[[Event], object] | None: ...

    def orders_of(self, wizard: str, /) -> Orders: ...
