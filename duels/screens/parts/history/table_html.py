"""HTML for the history grid: a table with two columns for each wizard, and the newest turn at the
bottom.

The pages of duels, turns and sample games share this code. It does not use templates, because
rendering one for each square would be too slow. Each square contains its gesture once, as text. Its
CSS class draws the icon (`static/css/signs.css`), and `static/js/parts/squares.js` shows details on
hover.
"""

from dataclasses import dataclass
from html import escape

from django.utils.safestring import SafeString, mark_safe

from duels.caching.caches import KeyedCache
from duels.screens.parts.history.table import SIDES, Grid, GridRow, Square
from duels.screens.parts.hyphens import hyphenated
from duels.screens.parts.rules.spell_links import spell_link
from duels.screens.parts.signs import gesture_class, sign, sign_class
from duels.screens.parts.view_cache import ViewKey
from duels.standing.beings import seat_number
from engine.play import WizardView

HISTORY_HELP = "The newest turn is at the bottom. Left and right are the wizard’s own hands."
BROKEN_SEQUENCE_WORDS = ": an Anti-spell ended all spells that {} had begun"


@dataclass(frozen=True)
class TurnLinks:
    """Data for a grid's links to the pages of turns and to the rules of spells."""

    turns: str
    query: str = ""
    open_ordinal: int = 0  # ordinal of the open turn, which does not have a page yet
    ruleset: str = ""

    def link_to_turn(self, ordinal: int) -> str:
        return f"{escape(self.turns)}{ordinal}/{escape(self.query)}"


HISTORY_HTML_CACHE: KeyedCache[tuple[ViewKey, TurnLinks], str] = KeyedCache(
    "printed history", size=256, key="the ViewKey, and the addresses of turns"
)


def history_html(grid: Grid, links: TurnLinks, older: int | None = None) -> SafeString:
    """Return HTML for the table. `older` is the last turn before it, if any."""
    earlier = f'<a href="{links.link_to_turn(older)}">Earlier turns</a>' if older else ""
    key = (grid.key, links) if grid.key else None
    played = HISTORY_HTML_CACHE.get(key, lambda: _rows_html(grid.played, links))
    return mark_safe(
        '<div class="history-frame" data-history tabindex="0" role="region"'
        f' aria-label="History of gestures"><table class="history of-{len(grid.columns)}">'
        f'<caption>{earlier}<span class="hidden-text">{HISTORY_HELP}</span></caption>'
        f"{_table_head(grid.columns)}<tbody>\n"
        f"{played}{_rows_html(grid.now, links)}</tbody></table></div>"
    )


def own_rows_html(rows: tuple[GridRow, ...]) -> SafeString:
    """Return the reader's own rows. On the page, htmx replaces the old rows with these."""
    return mark_safe("".join(map(_swap_template, rows)))


def _swap_template(row: GridRow) -> str:
    target = f"outerHTML:tr.now[data-turn='{escape(row.label)}']"
    html = _set_row(row, TurnLinks("")).replace("<tr", f'<tr hx-swap-oob="{target}"', 1)
    return f"<template>{html}</template>"


def _table_head(columns: tuple[WizardView, ...]) -> str:
    wizards = [
        f'<th class="wizard-name seat-{seat_number(column.id)}" colspan="2" scope="colgroup"'
        f' id="h-{column.id}">{escape(column.name)}{" <small>(you)</small>" if column.you else ""}'
        "</th>"
        for column in columns
    ]
    hands = [
        f'<th class="hand-name" scope="col" id="h-{column.id}-{side}">{side}</th>'
        for column in columns
        for side in SIDES
    ]
    return (
        '<thead><tr><th rowspan="2" scope="col" class="turn-column">'
        f'<span class="hidden-text">Turn</span></th>{"".join(wizards)}</tr>'
        f"<tr>{''.join(hands)}</tr></thead>"
    )


def _rows_html(rows: tuple[GridRow, ...], links: TurnLinks) -> str:
    return "".join(_break_row(row) if row.kind == "break" else _set_row(row, links) for row in rows)


def _break_row(row: GridRow) -> str:
    """Return the row between two turns that marks broken sequences of gestures."""
    cells = ['<td class="turn-column"></td>']
    for column, is_broken, squares in row.columns_with_squares:
        if is_broken:
            cells.append(
                f'<td colspan="2" class="break" data-hand="{column.id}-left"'
                f' data-broken="{column.id}"><span>{sign("break")}</span> broken'
                '<span class="hidden-text">'
                f"{BROKEN_SEQUENCE_WORDS.format(escape(column.name))}</span></td>"
            )
        else:
            cells += [
                f'<td data-hand="{column.id}-{square.side}">{_lines_html(square)}</td>'
                for square in squares
            ]
    return f'<tr class="broken" data-break-after="{row.ordinal}">{"".join(cells)}</tr>\n'


ROW_CLASSES = {"now": ' class="now"', "more": ' class="more-set"'}


def _set_row(row: GridRow, links: TurnLinks) -> str:
    turn = _turn_heading(row)
    if row.ordinal and row.ordinal != links.open_ordinal:
        turn = f'<a href="{links.link_to_turn(row.ordinal)}">{turn}</a>'
    squares = "".join(_square_html(square, links.ruleset) for square in row.squares)
    return (
        f'<tr{ROW_CLASSES.get(row.kind, "")} data-turn="{escape(row.label)}">'
        f'<th scope="row">{turn}</th>{squares}</tr>\n'
    )


def _turn_heading(row: GridRow) -> str:
    """Return HTML for the turn's name, of which only the label is visible."""
    before, label, after = row.words.partition(row.label)
    if label and not after and before.endswith(" "):
        return f"<i>{escape(before)}</i>{escape(label)}"
    return f'<i>{escape(row.words)}</i><span aria-hidden="true">{escape(row.label)}</span>'


def _square_html(square: Square, ruleset: str) -> str:
    """Return HTML for one square. The style sheet derives its side and colour from `data-hand`."""
    classes = square.css
    if square.letter:
        shape = sign_class("half_clap") if square.is_half else gesture_class(square.letter)
        classes = f"{shape} {classes}".rstrip()
    css = f' class="{classes}"' if classes else ""
    return (
        f'<td{css} data-hand="{square.column.id}-{square.side}">'
        f"{_gesture_words(square)}{_lines_html(square)}{_spell_html(square, ruleset)}</td>"
    )


def _gesture_words(square: Square) -> str:
    """Return HTML for the gesture. Screen readers read all of it; only the letter is visible."""
    words = escape(square.words)
    if square.css == "unrevealed":
        return f'<span class="hidden-text">{words}</span>'
    if not square.letter:
        return ""
    state = square.state_of_own_gesture
    own = f'<span class="own-state" aria-hidden="true">{state}</span>' if state else ""
    letter = escape(square.letter)
    if square.is_half:
        return f'<b><span aria-hidden="true">(C)</span><i>{letter} {words}</i></b>{own}'
    if not square.visible_letter:
        return f"<b><i>{letter} {words}</i></b>{own}"
    return f"<b>{letter}<i> {words}</i></b>{own}"


def _lines_html(square: Square) -> str:
    """Return HTML for the spells' lines in the square. The first lane does not need a class."""
    return "".join(
        f'<i class="{line.place} lane-{line.lane}"></i>'
        if line.lane
        else f'<i class="{line.place}"></i>'
        for line in square.lines
    )


def _spell_html(square: Square, ruleset: str) -> str:
    if not square.spell:
        return ""
    name = spell_link(square.spell, hyphenated(square.spell_name), ruleset)
    return (
        f'<span class="cast-name {sign_class(square.spell)}"><i>completes </i>'
        f"<span>{name}</span></span>"
    )
