"""The grid in an email, as text in a fixed-width font, and as rows for a table."""

from collections.abc import Sequence
from dataclasses import dataclass

from duels.delivery.wrapping import LINE_WIDTH
from duels.standing.history import HistoryRow, history_rows
from engine.play import Cell, View


@dataclass(frozen=True)
class Grid:
    """The history of all hands: two columns for each wizard, the newest turn last."""

    names: tuple[str, ...]
    lines: tuple["GridLine", ...]

    @property
    def text(self) -> str:
        """The grid as text in a fixed-width font, split into several grids for many wizards."""
        return "\n\n".join(self._text_of(each) for each in self._wizards_side_by_side())

    def _text_of(self, columns: Sequence[int]) -> str:
        widths = {column: _columns_width(self.names[column]) for column in columns}
        lines = ["turn  " + "  ".join(self.names[each].ljust(widths[each]) for each in columns)]
        for line in self.lines:
            pairs = [(line.cells[each], widths[each]) for each in columns]
            if any(pair != EMPTY_CELLS for pair, _ in pairs) or line.number:
                cells = [f"{left:<2} {right:<2}".ljust(width) for (left, right), width in pairs]
                lines.append(f"{line.number:>4}  " + "  ".join(cells))
        return "\n".join(line.rstrip() for line in lines)

    def _wizards_side_by_side(self) -> list[list[int]]:
        """Return groups of wizards (by index) whose columns fit next to each other."""
        groups: list[list[int]] = [[]]
        room = LINE_WIDTH - len("turn")
        for number, name in enumerate(self.names):
            needed = _columns_width(name) + 2
            if groups[-1] and needed > room:
                groups.append([])
                room = LINE_WIDTH - len("turn")
            groups[-1].append(number)
            room -= needed
        return groups


@dataclass(frozen=True)
class GridLine:
    """One line of the grid: the turn's number, and a left and a right cell for each wizard."""

    number: str
    cells: tuple[tuple[str, str], ...]

    @property
    def letters(self) -> list[str]:
        """The letters of all cells in order, for the template."""
        return [letter for pair in self.cells for letter in pair]


BROKEN_CELLS = ("~~", "~~")
EMPTY_CELLS = ("", "")


def _columns_width(name: str) -> int:
    """Return the width of a wizard's two columns, which must fit the name."""
    return max(len(name), 5)


def text_grid(view: View) -> Grid:
    """Return the view's grid. `?` is fog, `(C` half a clap, `~~` a break in a sequence."""
    names = tuple(wizard.name for wizard in view.wizards)
    return Grid(names, tuple(map(_grid_line, history_rows(view))))


def _grid_line(row: HistoryRow) -> GridLine:
    if not row.set:
        return GridLine(
            "", tuple(BROKEN_CELLS if is_broken else EMPTY_CELLS for is_broken in row.broken)
        )
    pairs = (
        (_cell_text(pair.left), _cell_text(pair.right)) if pair else EMPTY_CELLS
        for pair in row.pairs
    )
    return GridLine(row.label if row.set == 1 else "", tuple(pairs))


def _cell_text(cell: Cell) -> str:
    return f"({cell.letter}" if cell.is_half else cell.letter
