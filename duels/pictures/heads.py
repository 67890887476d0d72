"""The heading of a wizard's columns, with the wizard's name, monsters and wounds."""

from typing import Final

from PIL import Image, ImageDraw

from duels.pictures import lettering, palette
from duels.pictures.columns import HEADS_Y, Columns
from duels.pictures.icons import monster_sign, paint_sign
from duels.pictures.scene import Duellist

ROMAN_NUMERALS: Final = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII")
NAME_Y: Final = HEADS_Y + 26
WOUNDS_Y: Final = HEADS_Y + 52
MIN_NAME_SIZE: Final = 15
MONSTER_SIZE: Final = 26
GAP: Final = 6


def caption(duellist: Duellist) -> str:
    """Return the wizard's name, or the number of their seat if the font lacks a letter."""
    if lettering.has_font_for(duellist.name):
        return duellist.name
    return f"Wizard {ROMAN_NUMERALS[duellist.seat]}"


def paint_head(picture: Image.Image, columns: Columns, duellist: Duellist) -> None:
    left = columns.left_edge(duellist.seat) + GAP
    room = columns.wizard_width - 2 * GAP
    free = room - _paint_monsters(picture, columns, duellist, left + room)
    name = caption(duellist)
    largest = 28 if columns.count <= 4 else 21
    size = lettering.fitting_size(
        name, free, range(largest, MIN_NAME_SIZE - 1, -1), lettering.BOLD_WEIGHT
    )
    shown = lettering.shorten_text(name, free, size, lettering.BOLD_WEIGHT)
    lettering.paint_text(
        picture,
        (left, NAME_Y),
        shown,
        size,
        palette.SEAT_COLOURS[duellist.seat],
        lettering.BOLD_WEIGHT,
    )
    _paint_wounds(picture, columns, duellist, left, room)


def _paint_monsters(
    picture: Image.Image, columns: Columns, duellist: Duellist, right: float
) -> float:
    """Paint the icons of the wizard's monsters left of this edge, and return their width."""
    most = 5 if columns.are_wide else 2 if columns.count <= 4 else 0
    shown = duellist.monsters[:most]
    x = right
    more = len(duellist.monsters) - len(shown)
    if shown and more:
        words = f"+{more}"
        x -= lettering.text_width(words, 20)
        lettering.paint_text(picture, (x, NAME_Y - 1), words, 20, palette.INK_SOFT)
    for kind in reversed(shown):
        x -= MONSTER_SIZE + 4
        colour = palette.SEAT_COLOURS[duellist.seat]
        paint_sign(picture, (x, NAME_Y - 22), monster_sign(kind), MONSTER_SIZE, colour)
    return right - x + GAP if shown else 0


def _paint_wounds(
    picture: Image.Image, columns: Columns, duellist: Duellist, left: float, max_width: float
) -> None:
    """Paint a box for each hit point, filled if the point is lost, and the damage as text."""
    size = 18 if columns.count <= 4 else 15
    words = _damage_text(duellist, short=columns.count > 3)
    at = left
    if duellist.damage is not None and not duellist.state and not columns.are_narrow:
        free = max_width - lettering.text_width(words, size) - GAP
        at += _paint_hit_points(picture, duellist, left, free) + GAP
    lettering.paint_text(picture, (at, WOUNDS_Y), words, size, palette.INK_SOFT)


def _paint_hit_points(
    picture: Image.Image, duellist: Duellist, left: float, max_width: float
) -> float:
    draw = ImageDraw.Draw(picture)
    colour = palette.SEAT_COLOURS[duellist.seat]
    step = min(max_width / duellist.limit, 20)
    for point in range(duellist.limit):
        x = left + point * step
        box = (round(x), WOUNDS_Y - 11, round(x + step) - 3, WOUNDS_Y - 1)
        draw.rectangle(box, colour if point < (duellist.damage or 0) else None, colour, 1)
    return step * duellist.limit


def _damage_text(duellist: Duellist, *, short: bool) -> str:
    if duellist.state:
        return duellist.state
    if duellist.damage is None:
        return "not seen"
    words = f"{duellist.damage} of {duellist.limit}"
    return words if short else f"{words} damage"
