"""The history grid as a table of squares: two columns for each wizard, newest turn at the bottom.

It lays out what `engine.view` let the observer see and adds nothing to it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.text import capfirst

from duels.turns import turn_label, turn_words
from duels.views.kept import once_for_each_view
from duels.views.strokes import THROUGH, Place, Stroke, strokes
from engine import Cell, TurnView, View
from engine.gestures import GESTURE_NAMES

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
    """One square. `words` says in words what its sign and its lines show."""

    column: Column
    side: str  # "left" or "right"
    letter: str = ""
    words: str = ""
    css: str = ""
    spell: str = ""  # what is cast with this gesture, where its name stands
    spell_name: str = ""
    strokes: tuple[Stroke, ...] = ()

    @property
    def own_state(self) -> str:
        """Whether one's own gesture of the open turn is sealed; empty of every other."""
        return next((state for state in ("sealed", "drafted") if state in self.css.split()), "")

    @property
    def is_half(self) -> bool:
        return "half" in self.css

    @property
    def shown(self) -> str:
        """The letter beside the sign; fog and an idle hand have none."""
        return "" if self.letter in (FOG, "-") else self.letter


@dataclass(frozen=True)
class Line:
    """One line of the table. A break line has marks in the squares of those who are broken."""

    kind: str  # "set", "more" (a further set of the same turn), "break", "now"
    ordinal: int
    label: str
    words: str
    squares: tuple[Square, ...] = ()
    broken: tuple[str, ...] = ()

    @property
    def pairs(self) -> tuple[tuple[Column, bool, tuple[Square, ...]], ...]:
        """Each wizard's column, whether a break marks it, and his two squares."""
        two = zip(self.squares[::2], self.squares[1::2], strict=True)
        return tuple((pair[0].column, pair[0].column.id in self.broken, pair) for pair in two)


@dataclass(frozen=True, eq=False)
class Played:
    """The lines of the turns that were played. One for each view, so it is its own key."""

    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Grid:
    played: Played
    now: tuple[Line, ...]  # my own sets of the open turn
    columns: tuple[Column, ...] = field(compare=False)  # they go with what was played

    @property
    def lines(self) -> tuple[Line, ...]:
        return (*self.played.lines, *self.now)


def seat_number(wizard: str) -> int:
    """The place of a wizard's id: `w3` sits at 3."""
    return int(wizard[1:])


@dataclass(frozen=True)
class OwnSet:
    """One set of one's own gestures for the open turn, sealed or only drafted."""

    left: str
    right: str
    is_sealed: bool = False


def history_grid(view: View, spells: Mapping[str, str], mine: Sequence[OwnSet] = ()) -> Grid:
    """The grid of a view. `spells` names spells by id; `mine` are my own sets of the open turn."""
    columns = _columns(view)
    now: tuple[Line, ...] = ()
    if not view.outcome:
        now = tuple(_open_line(view, columns, own, again=n > 0) for n, own in enumerate(mine))
    return Grid(_played(view, spells), now, columns)


def _columns(view: View) -> tuple[Column, ...]:
    return tuple(
        Column(wizard.id, seat_number(wizard.id), wizard.name, wizard.you)
        for wizard in view.wizards
    )


@once_for_each_view
def _played(view: View, spells: Mapping[str, str]) -> Played:
    """The lines of what a view shows, each stroke in its square."""
    rows = [row for turn in view.turns for row in _rows(turn)]
    line_of = {(row.turn.ordinal, row.number): place for place, row in enumerate(rows)}
    page = _Page(view, spells, _columns(view), strokes(view.runs, line_of))
    return Played(tuple(page.line(row, place) for place, row in enumerate(rows)))


@dataclass(frozen=True)
class _Row:
    """One line before it is laid out: a set of gestures by its number, or 0 for a break."""

    turn: TurnView
    number: int


def _rows(turn: TurnView) -> Iterator[_Row]:
    # None in a turn in which somebody has resigned and nothing is revealed yet.
    count = max((len(rows) for rows in turn.rows.values()), default=0)
    yield from (_Row(turn, number) for number in range(1, count + 1))
    if turn.breaks:
        yield _Row(turn, 0)


@dataclass(frozen=True)
class _Page:
    """What all lines have in common."""

    view: View
    spells: Mapping[str, str]
    columns: tuple[Column, ...]
    drawn: Mapping[Place, tuple[Stroke, ...]]

    def line(self, row: _Row, place: int) -> Line:
        turn, number = row.turn, row.number
        squares = tuple(
            self.square(row, column, side, place) for column in self.columns for side in SIDES
        )
        if not number:
            return Line("break", turn.ordinal, "", "broken", squares, tuple(turn.breaks))
        label = turn_label(self.view.ruleset, turn.number, turn.kind)
        words = capfirst(turn_words(self.view.ruleset, turn.number, turn.kind))
        if number > 1:
            return Line("more", turn.ordinal, f"{label}″", f"{words}, second set", squares)
        return Line("set", turn.ordinal, label, words, squares)

    def square(self, row: _Row, column: Column, side: str, place: int) -> Square:
        lines = self.drawn.get(((column.id, side), place), ())
        rows = row.turn.rows.get(column.id, ())
        if not 1 <= row.number <= len(rows):
            return Square(column, side, css="blank", strokes=lines)
        made = rows[row.number - 1]
        cell = made.left if side == "left" else made.right
        words, css = _in_words(cell)
        named = next((stroke.spell for stroke in lines if stroke.is_named), "")
        return Square(
            column=column,
            side=side,
            letter=cell.letter,
            words=self.with_spells(words, lines),
            css=f"{css} cast".strip() if named else css,
            spell=named,
            spell_name=self.spells.get(named, named),
            strokes=lines,
        )

    def with_spells(self, words: str, lines: Sequence[Stroke]) -> str:
        """The gesture in words, and of which spells it was a part; whose end it is, is printed."""
        parts = [stroke for stroke in lines if not stroke.is_named and stroke.place != THROUGH]
        names = [self.spells.get(stroke.spell, stroke.spell) for stroke in parts]
        return f"{words}, part of {' and '.join(names)}" if names else words


def _in_words(cell: Cell) -> tuple[str, str]:
    """A gesture in words, and the class of its square."""
    if cell.letter == FOG:
        return "hidden by fog", "fogged"
    if cell.mark == HALF_CLAP:
        return "half a clap", "half"
    return GESTURE_NAMES[cell.letter], "nothing" if cell.letter == "-" else ""


def _open_line(view: View, columns: Sequence[Column], own: OwnSet, *, again: bool) -> Line:
    squares: list[Square] = []
    for column in columns:
        for side, letter in zip(SIDES, (own.left, own.right), strict=True):
            if column.you:
                squares.append(_own_square(column, side, letter, is_sealed=own.is_sealed))
            else:
                words, css = ("", "blank") if again else ("not revealed", "unrevealed")
                squares.append(Square(column, side, "", words, css))
    label = turn_label(view.ruleset, view.turn, view.kind) + ("″" if again else "")
    words = capfirst(turn_words(view.ruleset, view.turn, view.kind))
    return Line("now", 0, label, f"{words}, not revealed yet", tuple(squares))


def _own_square(column: Column, side: str, letter: str, *, is_sealed: bool) -> Square:
    if letter not in GESTURE_NAMES:  # nothing chosen, or a draft that means nothing
        return Square(column, side, css="mine")
    how = "sealed" if is_sealed else "drafted"
    return Square(column, side, letter, f"{GESTURE_NAMES[letter]}, {how}", f"mine {how}")
