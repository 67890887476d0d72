"""Text in all alphabets of the font Alegreya, fitted to the available width."""

from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw
from PIL.ImageFont import FreeTypeFont, truetype

from duels.pictures.palette import Colour

FONT_FOLDER: Final = Path(__file__).parent.parent.parent / "static" / "vendor" / "alegreya-5.3.0"
# The letters in each font file. If several files have a letter, the first one is used.
ALPHABETS: Final[dict[str, tuple[range, ...]]] = {
    "latin": (range(0x100), range(0x2000, 0x2070), range(0x2212, 0x2213), range(0x152, 0x154)),
    "greek": (range(0x370, 0x400),),
    "cyrillic": (range(0x400, 0x460), range(0x490, 0x492), range(0x4B0, 0x4B2)),
    "vietnamese": (range(0x1A0, 0x1A2), range(0x1AF, 0x1B1), range(0x1EA0, 0x1EFA)),
    "latin-ext": (range(0x100, 0x2BB), range(0x1E00, 0x1EA0)),
}
REGULAR_WEIGHT: Final = 400
BOLD_WEIGHT: Final = 700
HEAVY_WEIGHT: Final = 800
SUPERSAMPLING: Final = 3
ELLIPSIS: Final = "…"


def has_font_for(text: str) -> bool:
    return all(_alphabet_of(letter) for letter in text)


def text_width(text: str, size: int, weight: int = REGULAR_WEIGHT) -> float:
    """Return the width of the text in pixels."""
    large = sum(
        _font(name, size * SUPERSAMPLING, weight).getlength(run) for name, run in _font_runs(text)
    )
    return large / SUPERSAMPLING


def shorten_text(text: str, max_width: float, size: int, weight: int = REGULAR_WEIGHT) -> str:
    """Return the text, shortened with an ellipsis if it is too wide."""
    if text_width(text, size, weight) <= max_width:
        return text
    while text and text_width(text.rstrip() + ELLIPSIS, size, weight) > max_width:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS


def fitting_size(text: str, max_width: float, sizes: range, weight: int = REGULAR_WEIGHT) -> int:
    """Return the first of these sizes at which the text fits, or the last if none does."""
    return next((size for size in sizes if text_width(text, size, weight) <= max_width), sizes[-1])


def wrap_text(text: str, max_width: float, max_lines: int, size: int) -> list[str]:
    """Wrap the text to at most `max_lines` lines, and shorten the last line if necessary."""
    done: list[str] = []
    words = text.split()
    while words and len(done) < max_lines - 1:
        taken = 1
        while taken < len(words) and text_width(" ".join(words[: taken + 1]), size) <= max_width:
            taken += 1
        done.append(" ".join(words[:taken]))
        words = words[taken:]
    return [shorten_text(line, max_width, size) for line in [*done, " ".join(words)] if line]


def paint_text(
    picture: Image.Image,
    start: tuple[float, float],
    text: str,
    size: int,
    colour: Colour,
    weight: int = REGULAR_WEIGHT,
) -> float:
    """Paint text whose baseline starts at this point, and return its right edge."""
    x, y = start
    mask = _text_mask(text, size, weight)
    picture.paste(colour, (round(x), round(y) - size), mask)
    return x + text_width(text, size, weight)


@lru_cache(maxsize=512)
def _text_mask(text: str, size: int, weight: int) -> Image.Image:
    """Return a mask of the text.

    To keep the exact spacing of the font, the text is drawn large and then reduced.
    """
    room = (round(text_width(text, size, weight)) + 4, round(size * 1.4))
    mask = Image.new("L", (room[0] * SUPERSAMPLING, room[1] * SUPERSAMPLING))
    draw = ImageDraw.Draw(mask)
    x = 0.0
    for name, run in _font_runs(text):
        font = _font(name, size * SUPERSAMPLING, weight)
        draw.text((x, size * SUPERSAMPLING), run, 255, font, anchor="ls")
        x += font.getlength(run)
    return mask.reduce(SUPERSAMPLING)


def _font_runs(text: str) -> list[tuple[str, str]]:
    """Divide the text into runs with the same font file, and leave out unknown letters."""
    groups = groupby(text, _alphabet_of)
    return [(name, "".join(letters)) for name, letters in groups if name]


@lru_cache(maxsize=1024)
def _alphabet_of(letter: str) -> str:
    code = ord(letter)
    for name, ranges in ALPHABETS.items():
        if any(code in each for each in ranges):
            return name
    return ""


@lru_cache(maxsize=64)
def _font(alphabet: str, size: int, weight: int) -> FreeTypeFont:
    font = truetype(FONT_FOLDER / f"alegreya-{alphabet}-wght-normal.woff2", size)
    font.set_variation_by_axes([weight])
    return font
