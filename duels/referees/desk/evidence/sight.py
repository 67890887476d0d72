"""Reconstruction of an observer's view at a moment of a turn.

The observer is a wizard, a spectator or an all-seeing observer. The moments of a turn are its
opening, each round of questions after the reveal, and its resolution. A view contains everything
that the page showed the observer at that moment, and the open questions. It never contains sealed
orders.
"""

from copy import copy
from dataclasses import dataclass, replace
from typing import Final

import engine.orders
import engine.play
import engine.words
from duels.errors import MissingKey
from duels.loaded import adjudication
from duels.loaded.open_turn import OpenTurn, hides_questions
from duels.models import Seat, Stage, Turn
from duels.queries.rows import AskedQuestion, Story, questions_for
from duels.referees.desk.evidence.branches import position_after, turns_before
from engine.play import ALL, SPECTATOR

TURNS_SHOWN: Final = 8  # number of turns in a view
OPENED, REVEALED, RESOLVED = "opened", "revealed", "resolved"


@dataclass(frozen=True)
class TurnMoment:
    """A moment of a turn: its opening, a round of its questions, or its resolution."""

    stage: str
    batch: int = 0  # number of the round, from 1

    @property
    def code(self) -> str:
        """The moment's name in URLs, such as "opened", "revealed-1" or "resolved"."""
        return f"{self.stage}-{self.batch}" if self.batch else self.stage

    @property
    def words(self) -> str:
        if self.stage == REVEALED:
            which = f", round {self.batch}" if self.batch > 1 else ""
            return f"after the reveal{which}"
        return "when the turn opened" if self.stage == OPENED else "when the turn was resolved"


@dataclass(frozen=True)
class PendingActions:
    """The wizards who had to act at a moment of a turn, and the observer's own decisions."""

    awaited: tuple[Seat, ...]
    is_known: bool = True  # whether the observer knew which wizards had to act
    sheet: engine.play.Sheet | None = None  # the observer's order sheet, still empty
    questions: tuple[AskedQuestion, ...] = ()
    is_lost: bool = False  # the questions depend on seals whose key is missing


def moments_of(turn: Turn, *, with_hidden: bool) -> tuple[TurnMoment, ...]:
    """Return the moments of a turn, without hidden questions by default. rules: R121, R162"""
    asked = turn.batch if with_hidden or not hides_questions(turn.kind) else 0
    rounds = tuple(TurnMoment(REVEALED, batch) for batch in range(1, asked + 1))
    last = (TurnMoment(RESOLVED),) if turn.stage == Stage.RESOLVED else ()
    return (TurnMoment(OPENED), *rounds, *last)


def observers_of(turn: OpenTurn) -> tuple[str, ...]:
    """Return all possible observers: each seat, a spectator, and an all-seeing observer."""
    return (*sorted(seat.code for seat in turn.seats), SPECTATOR, ALL)


def view_of_observer(turn: OpenTurn, observer: str, moment: TurnMoment) -> Story:
    """Return the observer's view at this moment, with the latest report that they could read."""
    turns = list(turns_before(turn.row).reverse()[: TURNS_SHOWN - 1])[::-1]
    history = adjudication.history(turns, turn.start)
    if moment.stage == RESOLVED:
        history = _history_with_resolved_turn(turn, history)
    elif moment.stage == REVEALED:
        history = _history_with_reveal(turn, observer, moment.batch, history)
    view = engine.play.view(history, observer)
    return Story(view, tuple(engine.words.narrate(view)[-1:]))


def _history_with_resolved_turn(
    turn: OpenTurn, history: engine.play.History
) -> engine.play.History:
    row = turn.row
    events = adjudication.load_stored_events(row.events)
    after = position_after(row) or turn.position
    played = engine.play.Turn(row.ordinal, turn.start, events)
    return engine.play.History((*history.turns, played), after)


def _history_with_reveal(
    turn: OpenTurn, observer: str, batch: int, history: engine.play.History
) -> engine.play.History:
    """Return the history, with this turn's reveal if the observer had seen it before this round."""
    row = copy(turn.row)
    row.stage, row.batch, row.events = Stage.ANSWERS, batch, None
    then = replace(turn, row=row)
    if observer != ALL:
        seat = next((seat for seat in turn.seats if seat.code == observer), None)
        then = then.as_known_to(seat)
    return then.history_with_reveal(history) if then.row.stage == Stage.ANSWERS else history


def pending_actions(turn: OpenTurn, observer: str, moment: TurnMoment) -> PendingActions:
    """Return the observer's open decisions at this moment, and the wizards who had to act."""
    if moment.stage == RESOLVED:
        return PendingActions(())
    if moment.stage == REVEALED:
        return _pending_answers(turn, observer, moment.batch)
    return _pending_orders(turn, observer)


def _pending_orders(turn: OpenTurn, observer: str) -> PendingActions:
    needed = engine.play.deciding_wizards(turn.start)
    # Only the wizards concerned know whether an extra turn waits for them. rules: R121, R162
    is_known = observer in (*needed, ALL) or not hides_questions(turn.row.kind)
    sheet = None
    if observer in engine.play.acting_wizards(turn.start):
        sheet = engine.play.sheet(turn.start, observer, engine.orders.from_fields({}))
    return PendingActions(_seats_of_codes(turn, needed) if is_known else (), is_known, sheet)


def _pending_answers(turn: OpenTurn, observer: str, batch: int) -> PendingActions:
    row = copy(turn.row)
    row.stage, row.batch = Stage.ANSWERS, batch - 1
    before = replace(turn, row=row)
    try:
        given = turn.answers(before_batch=batch)
        asked = engine.play.questions(turn.position, turn.orders, given, turn.dice)
        row.questions = before.questions_to_store(asked)
    except MissingKey:
        return PendingActions((), is_known=False, is_lost=True)
    needed = tuple(dict.fromkeys(question.wizard for question in asked))
    if hides_questions(turn.row.kind) and observer not in (*needed, ALL):
        return _pending_orders(turn, observer)
    mine = next((seat for seat in turn.seats if seat.code == observer), None)
    return PendingActions(_seats_of_codes(turn, needed), questions=questions_for(row, mine))


def _seats_of_codes(turn: OpenTurn, codes: tuple[str, ...]) -> tuple[Seat, ...]:
    return tuple(seat for seat in turn.seats if seat.code in codes)
