"""Rendering of a scene as a PNG, with names and wounds, the grid, and a headline below it."""

import io
from functools import lru_cache
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from duels.pictures import palette
from duels.pictures.columns import GRID_BOTTOM_Y, HEIGHT, MARGIN, WIDTH, Columns
from duels.pictures.heads import caption, paint_head
from duels.pictures.icons import paint_sign
from duels.pictures.lettering import (
    BOLD_WEIGHT,
    HEAVY_WEIGHT,
    REGULAR_WEIGHT,
    paint_text,
    shorten_text,
    text_width,
    wrap_text,
)
from duels.pictures.painted_grid import paint_grid
from duels.pictures.scene import Scene

STYLE_VERSION: Final = 1  # increase this version when scenes are drawn differently
PALETTE_SIZE: Final = 128  # the number of colours, enough to avoid visible loss

TITLE_Y: Final = 88
TITLE_SIZES: Final = range(54, 33, -2)
SHORT_TITLE_LENGTH: Final = 46
PLACE_TEXT_Y: Final = 126
HEADLINE_Y: Final = GRID_BOTTOM_Y + 44


class StyledText(NamedTuple):
    """A part of a line with its own colour and font weight."""

    text: str
    colour: palette.Colour
    weight: int


def paint_scene(scene: Scene) -> bytes:
    picture = leaf().copy()
    columns = Columns(len(scene.duellists))
    _paint_title(picture, scene)
    for duellist in scene.duellists:
        paint_head(picture, columns, duellist)
    paint_grid(picture, columns, scene.rows, scene.spells)
    _paint_headline(picture, _headline_with_captions(scene))
    return as_png(picture)


def as_png(picture: Image.Image) -> bytes:
    """Encode the picture as a PNG with `PALETTE_SIZE` colours."""
    file = io.BytesIO()
    colours = picture.quantize(PALETTE_SIZE, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    colours.save(file, "PNG", compress_level=6)
    return file.getvalue()


@lru_cache(maxsize=1)
def leaf() -> Image.Image:
    """Return an empty picture with a double border and a lozenge in each corner."""
    picture = Image.new("RGB", (WIDTH, HEIGHT), palette.PAPER)
    draw = ImageDraw.Draw(picture)
    right, bottom = WIDTH - 1, HEIGHT - 1
    draw.rectangle(
        (16, 16, right - 16, bottom - 16), palette.LEAF_COLOUR, palette.STRONG_LINE_COLOUR, 3
    )
    draw.rectangle((24, 24, right - 24, bottom - 24), None, palette.LINE_COLOUR, 1)
    for x in (24, right - 24):
        for y in (24, bottom - 24):
            corners = ((x - 9, y), (x, y - 9), (x + 9, y), (x, y + 9))
            draw.polygon(corners, palette.GOLD, palette.LEAF_COLOUR, 2)
    return picture


def _paint_title(picture: Image.Image, scene: Scene) -> None:
    """Paint the duellists' names, or the scene's shorter title if they do not fit."""
    room = _paint_site_name(picture) - MARGIN - 40
    words = _names_as_title(scene)
    size = next((size for size in TITLE_SIZES if _total_width(words, size) <= room), 0)
    if not size:
        size = SHORT_TITLE_LENGTH
        words = [
            StyledText(
                shorten_text(scene.title, room, size, HEAVY_WEIGHT), palette.INK, HEAVY_WEIGHT
            )
        ]
    x: float = MARGIN
    for text, colour, weight in words:
        x = paint_text(picture, (x, TITLE_Y), text, size, colour, weight)
    paint_text(picture, (MARGIN, PLACE_TEXT_Y), scene.place, 26, palette.INK_SOFT)


def _names_as_title(scene: Scene) -> list[StyledText]:
    words: list[StyledText] = []
    for duellist in scene.duellists:
        if words:
            words.append(StyledText(" against ", palette.INK_SOFT, REGULAR_WEIGHT))
        words.append(
            StyledText(caption(duellist), palette.SEAT_COLOURS[duellist.seat], HEAVY_WEIGHT)
        )
    return words


def _total_width(words: list[StyledText], size: int) -> float:
    return sum(text_width(text, size, weight) for text, _, weight in words)


def _paint_site_name(picture: Image.Image) -> float:
    """Paint the site's name in the corner, and return its left edge."""
    name = WIDTH - MARGIN - text_width("Spellcaster", 26, BOLD_WEIGHT)
    paint_text(picture, (name, TITLE_Y - 8), "Spellcaster", 26, palette.INK, BOLD_WEIGHT)
    paint_sign(picture, (name - 40, TITLE_Y - 34), "hat", 32, palette.WINE)
    return name - 40


def _headline_with_captions(scene: Scene) -> str:
    """Return the headline, with names as in the headings of the columns."""
    words = scene.headline
    for duellist in scene.duellists:
        words = words.replace(duellist.name, caption(duellist))
    return words


def _paint_headline(picture: Image.Image, headline: str) -> None:
    left = MARGIN + 52
    room = WIDTH - MARGIN - left
    fits = text_width(headline, 30) <= room
    size = 30 if fits else 25
    lines = wrap_text(headline, room, 1 if fits else 2, size)
    top = HEADLINE_Y + 8 if len(lines) == 1 else HEADLINE_Y - 6
    paint_sign(picture, (MARGIN, HEADLINE_Y - 20), "scroll", 36, palette.WINE)
    for number, line in enumerate(lines):
        paint_text(picture, (left, top + number * 30), line, size, palette.INK)
