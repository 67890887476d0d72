"""Make `static/img/preview.png`, the picture in previews of links to the site's own pages.

    python docs/preview.py

The picture has the same paper, font and icons as the pictures of duels (`duels.pictures`).
"""

import sys
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from duels.pictures import palette  # noqa: E402  # the line above makes it importable
from duels.pictures.columns import WIDTH  # noqa: E402
from duels.pictures.icons import gesture_sign, paint_sign  # noqa: E402
from duels.pictures.lettering import HEAVY_WEIGHT, REGULAR_WEIGHT, paint_text, text_width  # noqa: E402
from duels.pictures.painting import as_png, leaf  # noqa: E402
from engine.play import LETTERS  # noqa: E402

PICTURE = ROOT / "static" / "img" / "preview.png"
SIGN_SIZE = 120
SIGN_GAP = 44


def main() -> None:
    picture = leaf().copy()
    paint_sign(picture, ((WIDTH - 130) / 2, 56), "hat", 130, palette.WINE)
    paint_centred_text(picture, 290, "Spellcaster", 118, palette.INK, HEAVY_WEIGHT)
    paint_centred_text(
        picture, 356, "A wizards’ duel by correspondence", 44, palette.INK_SOFT, REGULAR_WEIGHT
    )
    left = (WIDTH - len(LETTERS) * SIGN_SIZE - (len(LETTERS) - 1) * SIGN_GAP) / 2
    for place, letter in enumerate(LETTERS):
        x = left + place * (SIGN_SIZE + SIGN_GAP)
        paint_sign(picture, (x, 408), gesture_sign(letter), SIGN_SIZE, palette.WINE)
        paint_text(
            picture,
            (x + (SIGN_SIZE - text_width(letter, 36)) / 2, 572),
            letter,
            36,
            palette.INK_SOFT,
        )
    PICTURE.write_bytes(as_png(picture))


def paint_centred_text(
    picture: Image.Image, y: int, text: str, size: int, colour: str, weight: int
) -> None:
    """Write a line of text in the middle of the picture."""
    paint_text(
        picture, ((WIDTH - text_width(text, size, weight)) / 2, y), text, size, colour, weight
    )


if __name__ == "__main__":
    main()
