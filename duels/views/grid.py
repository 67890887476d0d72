"""The history grid as a table of cells: two columns for each wizard, newest turn at the bottom.

It lays out what `engine.view` let the observer see and adds nothing to it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.text import capfirst

from duels.turns import turn_label, turn_words
from engine import Cell, TurnView, View
from engine.gestures import GESTURE_NAMES

FOG = "?"
HALF_CLAP = "half_clap"


@dataclass(frozen=True)
class Column:
    """One wizard's pair of columns."""

    id: str
    seat: int
    name: str
    you: bool


@dataclass(frozen=True)
class Square:
    """One square. `words` says in words what the sign shows."""

    column: Column
    side: str  # "left" or "right"
    letter: str = ""
    words: str = ""
    css: str = ""
    spell: str = ""
    spell_name: str = ""


@dataclass(frozen=True)
class Line:
    """One line of the table. A break line has marks instead of squares."""

    kind: str  # "set", "more" (a further set of the same turn), "break", "now"
    ordinal: int
    label: str
    words: str
    squares: tuple[Square, ...] = ()
    broken: tuple[str, ...] = ()
    columns: tuple[Column, ...] = ()  # of a break line


@dataclass(frozen=True)
class Grid:
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]


def seat_number(wizard: str) -> int:
    """The place of a wizard's id: `w3` sits at 3."""
    return int(wizard[1:])


def history_grid(
    view: View, spells: Mapping[str, str], mine: Sequence[tuple[str, str]] = ()
) -> Grid:
    """The grid of a view. `spells` names spells by id; `mine` are my own sets of the open turn."""
    columns = tuple(
        Column(wizard.id, seat_number(wizard.id), wizard.name, wizard.you)
        for wizard in view.wizards
    )
    lines: list[Line] = []
    for turn in view.turns:
        lines.extend(_turn_lines(view.ruleset, turn, columns, spells))
    if not view.outcome:
        lines += [_open_line(view, columns, pair, again=n > 0) for n, pair in enumerate(mine)]
    return Grid(columns, tuple(lines))


def _turn_lines(
    ruleset: str, turn: TurnView, columns: Sequence[Column], spells: Mapping[str, str]
) -> list[Line]:
    # None in a turn in which somebody has resigned and nothing is revealed yet.
    count = max((len(rows) for rows in turn.rows.values()), default=0)
    lines = []
    for number in range(count):
        squares: list[Square] = []
        for column in columns:
            rows = turn.rows.get(column.id, ())
            if number < len(rows):
                row = rows[number]
                squares += [
                    _square(column, "left", row.left, spells),
                    _square(column, "right", row.right, spells),
                ]
            else:
                squares += [
                    Square(column, "left", css="blank"),
                    Square(column, "right", css="blank"),
                ]
        lines.append(_line(ruleset, turn, number, tuple(squares)))
    if turn.breaks:
        lines.append(
            Line("break", turn.ordinal, "", "broken", (), tuple(turn.breaks), tuple(columns))
        )
    return lines


def _line(ruleset: str, turn: TurnView, number: int, squares: tuple[Square, ...]) -> Line:
    label = turn_label(ruleset, turn.number, turn.kind)
    words = capfirst(turn_words(ruleset, turn.number, turn.kind))
    if number:
        return Line("more", turn.ordinal, f"{label}″", f"{words}, second set", squares)
    return Line("set", turn.ordinal, label, words, squares)


def _square(column: Column, side: str, cell: Cell, spells: Mapping[str, str]) -> Square:
    if cell.letter == FOG:
        words, css = "hidden by fog", "fogged"
    elif cell.mark == HALF_CLAP:
        words, css = "half a clap", "half"
    else:
        words = GESTURE_NAMES[cell.letter]
        css = "nothing" if cell.letter == "-" else ""
    if cell.spell:
        css = f"{css} cast".strip()
    return Square(
        column, side, cell.letter, words, css, cell.spell, spells.get(cell.spell, cell.spell)
    )


def _open_line(
    view: View, columns: Sequence[Column], pair: tuple[str, str], *, again: bool
) -> Line:
    squares: list[Square] = []
    for column in columns:
        letters = pair if column.you else ("", "")
        for side, letter in zip(("left", "right"), letters, strict=True):
            words = GESTURE_NAMES.get(letter, "") if column.you else "not revealed"
            css = "mine" if column.you else "blank" if again else "unrevealed"
            squares.append(Square(column, side, letter, words, css))
    label = turn_label(view.ruleset, view.turn, view.kind) + ("″" if again else "")
    words = capfirst(turn_words(view.ruleset, view.turn, view.kind))
    return Line("now", 0, label, f"{words}, not revealed yet", tuple(squares))
