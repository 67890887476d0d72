"""The history grid as a table of squares: two columns for each wizard, newest turn at the bottom.

It shows exactly what `engine.play.view` lets the observer see.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.text import capfirst

import engine.words
from duels.caching.caches import KeyedCache
from duels.screens.parts.history.spell_lines import THROUGH, GridSquare, LineSegment, grid_lines
from duels.screens.parts.view_cache import ViewKey
from duels.standing.history import SECOND_SET_MARK, HistoryRow, history_rows
from duels.template_values import TemplateValue
from duels.wording.turns import can_have_grid_row, turn_label
from engine.play import GESTURE_NAMES, NOTHING, Cell, View, WizardView

SIDES = ("left", "right")
BLANK_PAIR = (None, None)


@dataclass(frozen=True)
class Square:
    """One square of the grid. `words` describes the icon and the lines for screen readers."""

    column: WizardView
    side: str  # "left" or "right"
    letter: str = ""
    words: str = ""
    css: str = ""
    spell: str = ""  # spell completed by this gesture, if its name is shown here
    spell_name: str = ""
    lines: tuple[LineSegment, ...] = ()

    @property
    def state_of_own_gesture(self) -> str:
        """The state of the reader's own gesture in the open turn: "sealed", "drafted", or "" for
        other squares."""
        return next((state for state in ("sealed", "drafted") if state in self.css.split()), "")

    @property
    def is_half(self) -> bool:
        return "half" in self.css

    @property
    def visible_letter(self) -> str:
        """The letter next to the icon, or "" for fog and for idle hands."""
        return "" if self.css == "fogged" or self.letter == NOTHING else self.letter


@dataclass(frozen=True)
class GridRow:
    """One row of the table. `broken` states, for each wizard, whether a break marks it."""

    kind: str  # "set", "more" (the turn's second set), "break" or "now"
    ordinal: int
    label: str
    words: str
    squares: tuple[Square, ...] = ()
    broken: tuple[bool, ...] = ()

    @property
    def columns_with_squares(self) -> tuple[tuple[WizardView, bool, tuple[Square, ...]], ...]:
        """The two squares of each wizard, with their column and whether a break marks them."""
        two = zip(self.squares[::2], self.squares[1::2], strict=True)
        marked = zip(two, self.broken, strict=True)
        return tuple((pair[0].column, is_broken, pair) for pair, is_broken in marked)


@dataclass(frozen=True)
class Grid(TemplateValue):
    columns: tuple[WizardView, ...]
    played: tuple[GridRow, ...]  # rows of resolved turns
    now: tuple[GridRow, ...] = ()  # rows with the reader's own sets for the open turn
    key: ViewKey | None = None  # key of the view, which determines `played`
    ruleset: str = ""  # id

    @property
    def rows(self) -> tuple[GridRow, ...]:
        return (*self.played, *self.now)


@dataclass(frozen=True)
class OwnSet:
    """One of the reader's own sets of gestures for the open turn, sealed or drafted."""

    left: str
    right: str
    is_sealed: bool = False


PLAYED_ROWS_CACHE: KeyedCache[ViewKey, tuple[GridRow, ...]] = KeyedCache(
    "played rows", size=256, key="the ViewKey"
)


def history_grid(view: View, own_sets: Sequence[OwnSet] = (), key: ViewKey | None = None) -> Grid:
    now = () if view.outcome else open_rows(view, own_sets)
    played = PLAYED_ROWS_CACHE.get(key, lambda: _played_rows(view))
    return Grid(view.wizards, played, now, key, view.ruleset)


def open_rows(view: View, own_sets: Sequence[OwnSet]) -> tuple[GridRow, ...]:
    return tuple(_row_of_open_turn(view, own, is_second=n > 0) for n, own in enumerate(own_sets))


def _played_rows(view: View) -> tuple[GridRow, ...]:
    """Return the rows of a view's resolved turns, with the spells' lines in the squares."""
    rows = history_rows(view)
    row_of = {(row.ordinal, row.set): place for place, row in enumerate(rows)}
    layout = _RowBuilder(
        view, view.rules.spell_names, grid_lines(view.runs, row_of), _cancelled_turns(view)
    )
    return tuple(layout.grid_row(row, place) for place, row in enumerate(rows))


def _cancelled_turns(view: View) -> dict[str, int]:
    """Return the last turn, by wizard, whose gestures count as nothing in all later turns.

    In Warlocks, an Anti-spell cancels the gestures of its own turn too, except if it lands in an
    extra turn in which its subject does not act. rules: W25
    """
    if not view.rules.anti_spell_blanks:
        return {}
    return {
        wizard: turn.ordinal
        for turn in view.turns
        for wizard in turn.breaks
        if turn.rows.get(wizard)
    }


@dataclass(frozen=True)
class _RowBuilder:
    """A builder for rows, with the values that all rows have in common."""

    view: View
    spells: Mapping[str, str]
    drawn: Mapping[GridSquare, tuple[LineSegment, ...]]
    blanked: Mapping[str, int]  # by wizard: the last turn whose gestures an Anti-spell cancelled

    def grid_row(self, row: HistoryRow, place: int) -> GridRow:
        squares = tuple(
            self.grid_square(column, side, cell, row.ordinal, place)
            for column, pair in zip(self.view.wizards, row.pairs, strict=True)
            for side, cell in zip(
                SIDES, (pair.left, pair.right) if pair else BLANK_PAIR, strict=True
            )
        )
        if not row.set:
            return GridRow("break", row.ordinal, "", "broken", squares, row.broken)
        words = capfirst(row.words)
        if row.set > 1:
            return GridRow("more", row.ordinal, row.label, f"{words}, second set", squares)
        return GridRow("set", row.ordinal, row.label, words, squares)

    def grid_square(
        self, column: WizardView, side: str, cell: Cell | None, ordinal: int, place: int
    ) -> Square:
        lines = self.drawn.get(((column.id, side), place), ())
        if cell is None:
            return Square(column, side, css="blank", lines=lines)
        words, css = _gesture_words_and_class(cell)
        is_lost = ordinal <= self.blanked.get(column.id, 0) and not lines
        if is_lost and not cell.is_hidden and cell.letter != NOTHING:
            words, css = f"{words}, no longer counts", f"{css} blanked".strip()
        named = next((line.spell for line in lines if line.is_named), "")
        return Square(
            column=column,
            side=side,
            letter=cell.letter,
            words=self.words_with_spells(words, lines),
            css=f"{css} cast".strip() if named else css,
            spell=named,
            spell_name=self.spells.get(named, named),
            lines=lines,
        )

    def words_with_spells(self, words: str, lines: Sequence[LineSegment]) -> str:
        """Return the gesture's text, with the spells that the gesture was part of.

        If the square shows the name of the spell that the gesture completes, do not repeat that
        spell.
        """
        parts = [line for line in lines if not line.is_named and line.place != THROUGH]
        names = [self.spells.get(line.spell, line.spell) for line in parts]
        return f"{words}, part of {' and '.join(names)}" if names else words


def _gesture_words_and_class(cell: Cell) -> tuple[str, str]:
    """Return a gesture as text, and the CSS class for its square."""
    if cell.is_hidden:
        return "hidden by fog", "fogged"
    if cell.is_half:
        return "half a clap", "half"
    return GESTURE_NAMES[cell.letter], "nothing" if cell.letter == NOTHING else ""


def _row_of_open_turn(view: View, own_set: OwnSet, *, is_second: bool) -> GridRow:
    squares: list[Square] = []
    how = "sealed" if own_set.is_sealed else "drafted"
    for column in view.wizards:
        for side, letter in zip(SIDES, (own_set.left, own_set.right), strict=True):
            if not column.you:
                hidden = not is_second and can_have_grid_row(view, column.id)
                words, css = ("not revealed", "unrevealed") if hidden else ("", "blank")
                squares.append(Square(column, side, "", words, css))
            elif letter in GESTURE_NAMES:
                words = f"{GESTURE_NAMES[letter]}, {how}"
                squares.append(Square(column, side, letter, words, f"mine {how}"))
            else:  # no gesture chosen, or an invalid one in a draft
                squares.append(Square(column, side, css="mine"))
    label = turn_label(view.ruleset, view.turn, view.kind) + SECOND_SET_MARK * is_second
    words = capfirst(engine.words.turn_name(view.ruleset, view.kind, view.turn))
    return GridRow("now", 0, label, f"{words}, not revealed yet", tuple(squares))
