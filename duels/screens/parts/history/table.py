"""The history grid as a table of squares: two columns for each wizard, newest turn at the bottom.

It shows exactly what `engine.play.view` lets the observer see.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.text import capfirst

from duels.screens.parts.history.spell_lines import THROUGH, LineSegment, Place, grid_lines
from duels.screens.parts.view_cache import ViewKey, cached_by_view
from duels.standing.beings import seat_number
from duels.wording.turns import can_make_row, turn_label, turn_words
from engine.play import GESTURE_NAMES, Cell, TurnView, View

FOG = "?"
HALF_CLAP = "half_clap"
SIDES = ("left", "right")


@dataclass(frozen=True)
class Column:
    """One wizard's pair of columns."""

    id: str
    seat: int
    name: str
    you: bool


@dataclass(frozen=True)
class Square:
    """One square. `words` describes its sign and lines for screen readers."""

    column: Column
    side: str  # "left" or "right"
    letter: str = ""
    words: str = ""
    css: str = ""
    spell: str = ""  # spell completed by this gesture, if its name is shown here
    spell_name: str = ""
    lines: tuple[LineSegment, ...] = ()

    @property
    def own_state(self) -> str:
        """The state of the reader's own gesture in the open turn, "sealed" or "drafted", otherwise
        ""."""
        return next((state for state in ("sealed", "drafted") if state in self.css.split()), "")

    @property
    def is_half(self) -> bool:
        return "half" in self.css

    @property
    def shown(self) -> str:
        """The letter next to the sign, which is empty for fog and an idle hand."""
        return "" if self.letter in (FOG, "-") else self.letter


@dataclass(frozen=True)
class GridRow:
    """One row of the table. `broken` has the wizards whose squares are marked with a break."""

    kind: str  # "set", "more" (the turn's second set), "break" or "now"
    ordinal: int
    label: str
    words: str
    squares: tuple[Square, ...] = ()
    broken: tuple[str, ...] = ()

    @property
    def pairs(self) -> tuple[tuple[Column, bool, tuple[Square, ...]], ...]:
        """Each wizard's column, whether a break marks it, and its two squares."""
        two = zip(self.squares[::2], self.squares[1::2], strict=True)
        return tuple((pair[0].column, pair[0].column.id in self.broken, pair) for pair in two)


@dataclass(frozen=True)
class Grid:
    columns: tuple[Column, ...]
    played: tuple[GridRow, ...]  # rows of resolved turns
    now: tuple[GridRow, ...] = ()  # the reader's own sets of the open turn
    key: ViewKey | None = None  # key of the view; `played` depends on nothing else

    @property
    def rows(self) -> tuple[GridRow, ...]:
        return (*self.played, *self.now)


@dataclass(frozen=True)
class OwnSet:
    """One of the reader's own sets of gestures for the open turn, sealed or drafted."""

    left: str
    right: str
    is_sealed: bool = False


def history_grid(
    view: View,
    spells: Mapping[str, str],
    own_sets: Sequence[OwnSet] = (),
    key: ViewKey | None = None,
) -> Grid:
    """Return the grid of a view.

    `spells` has the names of spells by id, and `own_sets` the reader's own sets for the open turn.
    """
    columns = _columns(view)
    now: tuple[GridRow, ...] = ()
    if not view.outcome:
        now = tuple(_open_row(view, columns, own, again=n > 0) for n, own in enumerate(own_sets))
    return Grid(columns, _played(view, spells, key), now, key)


def _columns(view: View) -> tuple[Column, ...]:
    return tuple(
        Column(wizard.id, seat_number(wizard.id), wizard.name, wizard.you)
        for wizard in view.wizards
    )


@cached_by_view("played rows", size=256)
def _played(view: View, spells: Mapping[str, str]) -> tuple[GridRow, ...]:
    """Return the rows of a view, whose squares contain the segments of spells' lines."""
    sets = [each for turn in view.turns for each in _sets(turn)]
    row_of = {(each.turn.ordinal, each.number): place for place, each in enumerate(sets)}
    layout = _Layout(view, spells, _columns(view), grid_lines(view.runs, row_of))
    return tuple(layout.row(each, place) for place, each in enumerate(sets))


@dataclass(frozen=True)
class _Set:
    """A row before its layout. `number` counts the turn's sets of gestures, or is 0 for a break."""

    turn: TurnView
    number: int


def _sets(turn: TurnView) -> Iterator[_Set]:
    # A turn has no rows if a wizard resigned before anything was revealed.
    count = max((len(rows) for rows in turn.rows.values()), default=0)
    yield from (_Set(turn, number) for number in range(1, count + 1))
    if turn.breaks:
        yield _Set(turn, 0)


@dataclass(frozen=True)
class _Layout:
    """A layout for rows, with the values that all rows share."""

    view: View
    spells: Mapping[str, str]
    columns: tuple[Column, ...]
    drawn: Mapping[Place, tuple[LineSegment, ...]]

    def row(self, made: _Set, place: int) -> GridRow:
        turn, number = made.turn, made.number
        squares = tuple(
            self.square(made, column, side, place) for column in self.columns for side in SIDES
        )
        if not number:
            return GridRow("break", turn.ordinal, "", "broken", squares, tuple(turn.breaks))
        label = turn_label(self.view.ruleset, turn.number, turn.kind)
        words = capfirst(turn_words(self.view.ruleset, turn.number, turn.kind))
        if number > 1:
            return GridRow("more", turn.ordinal, f"{label}″", f"{words}, second set", squares)
        return GridRow("set", turn.ordinal, label, words, squares)

    def square(self, made: _Set, column: Column, side: str, place: int) -> Square:
        lines = self.drawn.get(((column.id, side), place), ())
        rows = made.turn.rows.get(column.id, ())
        if not 1 <= made.number <= len(rows):
            return Square(column, side, css="blank", lines=lines)
        hands = rows[made.number - 1]
        cell = hands.left if side == "left" else hands.right
        words, css = _in_words(cell)
        if self.is_blanked(made.turn, column) and cell.letter not in (FOG, "-"):
            words, css = f"{words}, does not count", f"{css} blanked".strip()
        named = next((line.spell for line in lines if line.is_named), "")
        return Square(
            column=column,
            side=side,
            letter=cell.letter,
            words=self.with_spells(words, lines),
            css=f"{css} cast".strip() if named else css,
            spell=named,
            spell_name=self.spells.get(named, named),
            lines=lines,
        )

    def is_blanked(self, turn: TurnView, column: Column) -> bool:
        """Return whether an anti-spell blanked the wizard's sets in this turn. rules: W25"""
        return self.view.rules.anti_spell_blanks and column.id in turn.breaks

    def with_spells(self, words: str, lines: Sequence[LineSegment]) -> str:
        """Add the spells that a gesture was part of to its text.

        The spell that the gesture completes is left out if the square shows its name.
        """
        parts = [line for line in lines if not line.is_named and line.place != THROUGH]
        names = [self.spells.get(line.spell, line.spell) for line in parts]
        return f"{words}, part of {' and '.join(names)}" if names else words


def _in_words(cell: Cell) -> tuple[str, str]:
    """Return a gesture as text, and its square's CSS class."""
    if cell.letter == FOG:
        return "hidden by fog", "fogged"
    if cell.mark == HALF_CLAP:
        return "half a clap", "half"
    return GESTURE_NAMES[cell.letter], "nothing" if cell.letter == "-" else ""


def _open_row(view: View, columns: Sequence[Column], own: OwnSet, *, again: bool) -> GridRow:
    squares: list[Square] = []
    for column in columns:
        for side, letter in zip(SIDES, (own.left, own.right), strict=True):
            if column.you:
                squares.append(_own_square(column, side, letter, is_sealed=own.is_sealed))
            else:
                hidden = not again and can_make_row(view, column.id)
                words, css = ("not revealed", "unrevealed") if hidden else ("", "blank")
                squares.append(Square(column, side, "", words, css))
    label = turn_label(view.ruleset, view.turn, view.kind) + ("″" if again else "")
    words = capfirst(turn_words(view.ruleset, view.turn, view.kind))
    return GridRow("now", 0, label, f"{words}, not revealed yet", tuple(squares))


def _own_square(column: Column, side: str, letter: str, *, is_sealed: bool) -> Square:
    if letter not in GESTURE_NAMES:  # nothing chosen, or an invalid draft
        return Square(column, side, css="mine")
    how = "sealed" if is_sealed else "drafted"
    return Square(column, side, letter, f"{GESTURE_NAMES[letter]}, {how}", f"mine {how}")
