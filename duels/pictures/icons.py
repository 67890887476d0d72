"""Painting of icons, whose masks `docs/signs.py` creates."""

from functools import lru_cache
from pathlib import Path
from typing import Final

from PIL import Image, ImageOps

from duels.pictures.palette import Colour

SIGN_FOLDER: Final = Path(__file__).parent / "signs"
GESTURE_FILES: Final = {">": "stab", "-": "nothing", "?": "fog"}
ELEMENTAL_KINDS: Final = {"fire": "fire_elemental", "ice": "ice_elemental"}
ICON_BY_SPELL: Final = {  # spells that share the icon of the monster they summon
    "summon_fire_elemental": "fire_elemental",
    "summon_ice_elemental": "ice_elemental",
}


def gesture_sign(letter: str, *, is_half: bool = False) -> str:
    """Return the name of the icon for a hand that makes this gesture."""
    return "half_clap" if is_half else GESTURE_FILES.get(letter, f"gesture-{letter}")


def spell_sign(spell: str) -> str:
    return ICON_BY_SPELL.get(spell, spell)


def monster_sign(kind: str) -> str:
    return ELEMENTAL_KINDS.get(kind, f"summon_{kind}")


def paint_sign(
    picture: Image.Image,
    corner: tuple[float, float],
    name: str,
    size: int,
    colour: Colour,
    *,
    mirrored: bool = False,
) -> None:
    """Paint an icon with its top left corner at this point. Ignore unknown names."""
    if (SIGN_FOLDER / f"{name}.png").is_file():
        picture.paste(
            colour, (round(corner[0]), round(corner[1])), _sign_mask(name, size, mirrored)
        )


@lru_cache(maxsize=256)
def _sign_mask(name: str, size: int, mirrored: bool) -> Image.Image:
    with Image.open(SIGN_FOLDER / f"{name}.png") as opened:
        mask = opened.convert("L").resize((size, size), Image.Resampling.LANCZOS)
    return ImageOps.mirror(mask) if mirrored else mask
