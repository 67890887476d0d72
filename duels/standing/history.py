"""The history of gestures in a view, as rows that pages, emails and pictures render."""

from dataclasses import dataclass
from typing import Final

import engine.words
from duels.wording.turns import turn_label
from engine.play import Row, TurnView, View

SECOND_SET_MARK: Final = "″"  # follows the label of a turn's second set


@dataclass(frozen=True)
class HistoryRow:
    """One set of every wizard's gestures in a turn or, if `set` is 0, the break after the turn."""

    ordinal: int
    set: int
    label: str  # "7", or "7″" for the second set
    words: str  # the turn's name for use within a sentence
    pairs: tuple[Row | None, ...]  # gestures by wizard; None if a wizard did not make this set
    broken: tuple[bool, ...]  # for each wizard, whether their sequences broke


def history_rows(view: View) -> tuple[HistoryRow, ...]:
    """Return all rows that the observer can see, oldest first."""
    return tuple(row for turn in view.turns for row in _rows_of_turn(view, turn))


def _rows_of_turn(view: View, turn: TurnView) -> list[HistoryRow]:
    wizards = [wizard.id for wizard in view.wizards]
    made = [turn.rows.get(wizard, ()) for wizard in wizards]
    broken = tuple(wizard in turn.breaks for wizard in wizards)
    label = turn_label(view.ruleset, turn.number, turn.kind)
    words = engine.words.turn_name(view.ruleset, turn.kind, turn.number)
    # A turn has no sets if a wizard resigned before anything was revealed.
    count = max(map(len, made), default=0)
    rows = [
        HistoryRow(
            turn.ordinal,
            number,
            label + SECOND_SET_MARK * (number > 1),
            words,
            tuple(sets[number - 1] if number <= len(sets) else None for sets in made),
            broken,
        )
        for number in range(1, count + 1)
    ]
    if turn.breaks:
        rows.append(HistoryRow(turn.ordinal, 0, "", words, (None,) * len(wizards), broken))
    return rows
