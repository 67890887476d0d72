"""The site's colours in light mode.

They are the first colour of each pair in `static/css/variables.css`.
"""

import re
from pathlib import Path
from typing import Final

Colour = str

_STYLE_SHEET: Final = Path(__file__).parent.parent.parent / "static" / "css" / "variables.css"
_LIGHT_DARK_PATTERN: Final = re.compile(r"--([\w-]+):\s*light-dark\((#[0-9a-f]{6}),")
_LIGHT_COLOURS: Final = dict(_LIGHT_DARK_PATTERN.findall(_STYLE_SHEET.read_text("utf-8")))

PAPER: Final[Colour] = _LIGHT_COLOURS["paper"]
LEAF_COLOUR: Final[Colour] = _LIGHT_COLOURS["leaf"]
DEEP_LEAF_COLOUR: Final[Colour] = _LIGHT_COLOURS["leaf-deep"]
LINE_COLOUR: Final[Colour] = _LIGHT_COLOURS["rule"]
STRONG_LINE_COLOUR: Final[Colour] = _LIGHT_COLOURS["rule-strong"]
INK: Final[Colour] = _LIGHT_COLOURS["ink"]
INK_SOFT: Final[Colour] = _LIGHT_COLOURS["ink-soft"]
WINE: Final[Colour] = _LIGHT_COLOURS["wine"]
GOLD: Final[Colour] = _LIGHT_COLOURS["gold"]
ALARM: Final[Colour] = _LIGHT_COLOURS["alarm"]
SEAT_COLOURS: Final[tuple[Colour, ...]] = tuple(_LIGHT_COLOURS[f"seat-{seat}"] for seat in range(8))
