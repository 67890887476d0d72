"""The end of a duel as a value, which the steps of `commands.end_steps` carry out or undo."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import engine.play
from duels.models import Duel, Ended, Seat
from engine.words import and_list


@dataclass(frozen=True)
class Change:
    """One change made by an act, with its subject and the states before and after, as text."""

    words: str
    before: str
    after: str


@dataclass
class DuelEnd:
    """The end of a duel in this position, by the rules or by a player's or a referee's decision.

    `result` is the winner's code, "draw", or "" if the duel is annulled. Steps add `changes`, which
    a referee sees before carrying out an act, and `facts`, which are logged with the act.
    """

    duel: Duel
    seats: Sequence[Seat]
    position: engine.play.Position
    how: Ended
    result: str
    now: datetime
    changes: list[Change] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def is_annulled(self) -> bool:
        """Whether the duel ends without a result."""
        return self.how == Ended.ANNULLED

    def record_change(self, words: str, seats: Sequence[Seat], before: str, after: str) -> None:
        """Record a change that concerns these wizards, if any. `words` has a place for their
        names."""
        if seats:
            names = and_list([seat.wizard.name for seat in seats])
            self.changes.append(Change(words.format(names), before, after))


@dataclass(frozen=True)
class EndStep:
    """One step of ending a duel, and its undoing.

    If a referee later changes the result, annuls the duel or rolls it back, `undo` receives the end
    that the step was applied to. A new result is then applied again. A step without `undo` cannot
    be undone, because it publishes something, so it is applied only the first time.
    """

    apply: Callable[[DuelEnd], None]
    undo: Callable[[DuelEnd], None] | None = None
