"""The grid in an email, as text in a fixed-width font, and as rows for a table."""

from collections.abc import Sequence
from dataclasses import dataclass

import engine
from duels.delivery.wrapping import COLUMNS
from duels.wording.turns import turn_label


@dataclass(frozen=True)
class Grid:
    """The history of all hands, with two columns for each wizard and the newest turn at the
    bottom."""

    names: tuple[str, ...]
    lines: tuple["GridLine", ...]

    @property
    def text(self) -> str:
        """The grid as text in a fixed-width font, split into several grids for many wizards."""
        return "\n\n".join(self._text_of(each) for each in self._side_by_side())

    def _text_of(self, columns: Sequence[int]) -> str:
        widths = {column: _width(self.names[column]) for column in columns}
        lines = ["turn  " + "  ".join(self.names[each].ljust(widths[each]) for each in columns)]
        for line in self.lines:
            pairs = [(line.cells[each], widths[each]) for each in columns]
            if any(pair != BLANK for pair, _ in pairs) or line.number:
                cells = [f"{left:<2} {right:<2}".ljust(width) for (left, right), width in pairs]
                lines.append(f"{line.number:>4}  " + "  ".join(cells))
        return "\n".join(line.rstrip() for line in lines)

    def _side_by_side(self) -> list[list[int]]:
        """Return groups of wizards (by index) whose columns fit next to each other."""
        groups: list[list[int]] = [[]]
        room = COLUMNS - len("turn")
        for number, name in enumerate(self.names):
            needed = _width(name) + 2
            if groups[-1] and needed > room:
                groups.append([])
                room = COLUMNS - len("turn")
            groups[-1].append(number)
            room -= needed
        return groups


@dataclass(frozen=True)
class GridLine:
    """One line of the grid, with a number and, for each wizard, a left and a right cell."""

    number: str
    cells: tuple[tuple[str, str], ...]
    is_break: bool = False


BREAK = ("~~", "~~")
BLANK = ("", "")


def _width(name: str) -> int:
    """Return the width of a wizard's columns, which fits two cells and the name."""
    return max(len(name), 5)


def grid(view: engine.View) -> Grid:
    """Return the view's grid. `?` is fog, `(C` half a clap, `~~` a break in a sequence."""
    wizards = [wizard.id for wizard in view.wizards]
    lines: list[GridLine] = []
    for turn in view.turns:
        height = max((len(rows) for rows in turn.rows.values()), default=0)
        for number in range(height):
            label = turn_label(view.ruleset, turn.number, turn.kind) if number == 0 else ""
            pairs = (_pair(turn.rows.get(wizard, ()), number) for wizard in wizards)
            lines.append(GridLine(label, tuple(pairs)))
        if turn.breaks:
            marks = (BREAK if wizard in turn.breaks else BLANK for wizard in wizards)
            lines.append(GridLine("", tuple(marks), is_break=True))
    return Grid(tuple(wizard.name for wizard in view.wizards), tuple(lines))


def _pair(rows: tuple[engine.Row, ...], number: int) -> tuple[str, str]:
    if number >= len(rows):
        return BLANK
    return _cell(rows[number].left), _cell(rows[number].right)


def _cell(cell: engine.Cell) -> str:
    return f"({cell.letter}" if cell.mark == "half_clap" else cell.letter
