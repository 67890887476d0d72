"""A value that describes the end of a duel. The steps in `commands.end_steps` apply and undo it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import engine.play
from duels.models import Duel, DuelEnding, Seat
from engine.words import and_list


@dataclass(frozen=True)
class Change:
    """One change made by a referee's act, as text: what changed, and its state before and after."""

    words: str
    before: str
    after: str


@dataclass
class DuelEnd:
    """The end of a duel, whether by the rules or by the decision of a player or referee.

    `result` is the winner's code, "draw", or "" if the duel is annulled. Steps add `changes`, which
    are shown to the referee before the act, and `facts`, which are logged with the act.
    """

    duel: Duel
    seats: Sequence[Seat]
    position: engine.play.Position
    how: DuelEnding
    result: str
    now: datetime
    changes: list[Change] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def is_annulled(self) -> bool:
        """Whether the duel ends without a result."""
        return self.how == DuelEnding.ANNULLED

    def record_change(self, words: str, seats: Sequence[Seat], before: str, after: str) -> None:
        """Record a change that concerns these wizards, whose names replace `{}` in `words`."""
        if seats:
            names = and_list([seat.wizard.name for seat in seats])
            self.changes.append(Change(words.format(names), before, after))


@dataclass(frozen=True)
class EndStep:
    """One step of ending a duel, and a function that undoes it.

    If a referee later changes the result, annuls the duel or rolls it back, `undo` is called with
    the earlier end. The step is then applied again for a new result. A step without `undo` cannot
    be undone, because it publishes something. Such a step is applied only the first time.
    """

    apply: Callable[[DuelEnd], None]
    undo: Callable[[DuelEnd], None] | None = None
