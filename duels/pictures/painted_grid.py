"""The grid in a picture, which shows the newest gestures of every hand, as the page does."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from PIL import Image, ImageColor, ImageDraw

from duels.pictures import palette
from duels.pictures.columns import (
    GRID_BOTTOM_Y,
    GRID_Y,
    HEIGHT,
    MARGIN,
    ROW_HEIGHT,
    TURN_COLUMN_WIDTH,
    WIDTH,
    Columns,
)
from duels.pictures.icons import gesture_sign, paint_sign, spell_sign
from duels.pictures.lettering import BOLD_WEIGHT, fitting_size, paint_text, shorten_text, text_width
from duels.pictures.scene import HISTORY_ROWS
from duels.standing.history import HistoryRow
from engine.play import NOTHING, STAB, Cell

BASELINE_OFFSET = 27  # distance from the top of a row to the baseline of its letters
TINT_OPACITY = 0.14


def paint_grid(
    picture: Image.Image, columns: Columns, rows: Sequence[HistoryRow], spells: Mapping[str, str]
) -> None:
    _paint_frame(picture, columns)
    tops = [GRID_Y + number * ROW_HEIGHT for number in range(len(rows))]
    for top, row in zip(tops, rows, strict=True):
        _paint_row(picture, columns, top, row, spells)
    for place, (top, row) in enumerate(zip(tops, rows, strict=True)):
        is_last = all(later.ordinal != row.ordinal for later in rows[place + 1 :])
        for seat, is_broken in enumerate(row.broken):
            if is_last and is_broken:
                _paint_break(picture, columns, seat, top + ROW_HEIGHT)
    if not rows:
        _paint_empty_note(picture)


def _paint_frame(picture: Image.Image, columns: Columns) -> None:
    draw = ImageDraw.Draw(picture)
    right = WIDTH - MARGIN
    for line in range(1, HISTORY_ROWS):
        y = GRID_Y + line * ROW_HEIGHT
        draw.line((MARGIN, y, right, y), palette.LINE_COLOUR, 1)
    for seat in range(columns.count):
        x = columns.left_edge(seat)
        middle = x + columns.hand_width
        draw.line((middle, GRID_Y, middle, GRID_BOTTOM_Y), palette.LINE_COLOUR, 1)
        draw.line((x, GRID_Y, x, GRID_BOTTOM_Y), palette.STRONG_LINE_COLOUR, 2)
    draw.line((right, GRID_Y, right, GRID_BOTTOM_Y), palette.STRONG_LINE_COLOUR, 2)
    for y in (GRID_Y, GRID_BOTTOM_Y):
        draw.line((MARGIN, y, right, y), palette.STRONG_LINE_COLOUR, 2)


def _paint_row(
    picture: Image.Image, columns: Columns, top: int, row: HistoryRow, spells: Mapping[str, str]
) -> None:
    label = MARGIN + TURN_COLUMN_WIDTH - 12 - text_width(row.label, 22)
    paint_text(picture, (label, top + BASELINE_OFFSET), row.label, 22, palette.INK_SOFT)
    for seat, pair in enumerate(row.pairs):
        for hand, cell in enumerate((pair.left, pair.right) if pair else ()):
            left = columns.left_edge(seat) + hand * columns.hand_width
            _paint_background(picture, columns, (left, top), cell, seat)
            end = _paint_gesture(picture, columns, (left, top), cell, is_right=hand == 1)
            if cell.spell and not columns.are_narrow:
                name = spells.get(cell.spell, "")
                at = (end, top)
                _paint_spell(
                    picture, columns, at, cell.spell, name, seat, left + columns.hand_width
                )


def _paint_background(
    picture: Image.Image, columns: Columns, corner: tuple[float, float], cell: Cell, seat: int
) -> None:
    """Paint the background of a cell: hatched if fog hides it, tinted if a spell was cast."""
    left, top = round(corner[0]), round(corner[1])
    box = (left + 2, top + 1, round(corner[0] + columns.hand_width), top + ROW_HEIGHT)
    if cell.is_hidden:
        picture.paste(palette.DEEP_LEAF_COLOUR, box, _hatching_mask().crop(box))
    elif cell.spell:
        colour = palette.SEAT_COLOURS[seat]
        picture.paste(_tinted_background(colour), box)
        picture.paste(colour, (box[0], box[1], box[0] + 4, box[3]))


def _paint_gesture(
    picture: Image.Image,
    columns: Columns,
    corner: tuple[float, float],
    cell: Cell,
    *,
    is_right: bool,
) -> float:
    """Paint a gesture's icon and letter, and return their right edge."""
    left, top = corner
    size = 30 if columns.count <= 4 else 25
    x = left + (14 if columns.count <= 4 else 7)
    ink = palette.STRONG_LINE_COLOUR if cell.is_hidden or cell.letter == NOTHING else palette.INK
    sign = gesture_sign(cell.letter, is_half=cell.is_half)
    paint_sign(picture, (x, top + (ROW_HEIGHT - size) / 2), sign, size, ink, mirrored=is_right)
    x += size + (7 if columns.count <= 4 else 4)
    end = paint_text(
        picture, (x, top + BASELINE_OFFSET), _letter_text(cell), 22, palette.INK, BOLD_WEIGHT
    )
    return max(x + 23, end + 4)


def _letter_text(cell: Cell) -> str:
    if cell.is_hidden or cell.letter in (NOTHING, STAB):
        return ""
    return f"({cell.letter})" if cell.is_half else cell.letter


def _paint_spell(
    picture: Image.Image,
    columns: Columns,
    corner: tuple[float, float],
    spell: str,
    name: str,
    seat: int,
    right: float,
) -> None:
    """Paint a spell's icon, and its name if there is room."""
    (x, top), colour = corner, palette.SEAT_COLOURS[seat]
    paint_sign(picture, (x, top + 7), spell_sign(spell), min(24, round(right - x) - 2), colour)
    if columns.are_wide:
        room = right - x - 38
        size = fitting_size(name, room, range(20, 15, -1))
        shown = shorten_text(name, room, size)
        paint_text(picture, (x + 31, top + BASELINE_OFFSET - 1), shown, size, colour)


def _paint_break(picture: Image.Image, columns: Columns, seat: int, y: int) -> None:
    """Paint a torn line, which shows that the gestures above it no longer count."""
    left, step = columns.left_edge(seat) + 4, 12
    teeth = int((columns.wizard_width - 4) / step)
    points = [(left + at * step, y + (4 if at % 2 else -4)) for at in range(teeth + 1)]
    ImageDraw.Draw(picture).line(points, palette.ALARM, 3, joint="curve")


def _paint_empty_note(picture: Image.Image) -> None:
    """Paint a note that there are no gestures yet."""
    words, size = "No gestures yet.", 34
    middle = (MARGIN + TURN_COLUMN_WIDTH + WIDTH - MARGIN) / 2
    y = GRID_Y + HISTORY_ROWS * ROW_HEIGHT / 2
    half = (text_width(words, size) + 64) / 2
    box = (round(middle - half - 24), round(y - 50), round(middle + half + 24), round(y + 50))
    ImageDraw.Draw(picture).rectangle(box, palette.LEAF_COLOUR, palette.STRONG_LINE_COLOUR, 2)
    paint_sign(picture, (middle - half, y - 26), "quill", 48, palette.GOLD)
    paint_text(picture, (middle - half + 64, y + 10), words, size, palette.INK_SOFT)


@lru_cache(maxsize=1)
def _hatching_mask() -> Image.Image:
    """Return a mask of diagonal lines, as large as the picture."""
    mask = Image.new("L", (WIDTH, HEIGHT))
    draw = ImageDraw.Draw(mask)
    for x in range(-HEIGHT, WIDTH, 14):
        draw.line((x, HEIGHT, x + HEIGHT, 0), 255, 6)
    return mask


@lru_cache(maxsize=8)
def _tinted_background(colour: palette.Colour) -> tuple[int, int, int]:
    """Return the background colour mixed with a little of this colour."""
    leaf, ink = ImageColor.getrgb(palette.LEAF_COLOUR), ImageColor.getrgb(colour)
    red, green, blue = (
        round(a + (b - a) * TINT_OPACITY) for a, b in zip(leaf[:3], ink[:3], strict=True)
    )
    return red, green, blue
