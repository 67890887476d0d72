"""The site's colours in light mode.

They are the first colour of each pair in `static/css/variables.css`.
"""

import re
from pathlib import Path
from typing import Final

Colour = str

_SHEET: Final = Path(__file__).parent.parent.parent / "static" / "css" / "variables.css"
_PAIR: Final = re.compile(r"--([\w-]+):\s*light-dark\((#[0-9a-f]{6}),")
_BY_DAY: Final = dict(_PAIR.findall(_SHEET.read_text("utf-8")))

PAPER: Final[Colour] = _BY_DAY["paper"]
LEAF: Final[Colour] = _BY_DAY["leaf"]
LEAF_DEEP: Final[Colour] = _BY_DAY["leaf-deep"]
RULE: Final[Colour] = _BY_DAY["rule"]
RULE_STRONG: Final[Colour] = _BY_DAY["rule-strong"]
INK: Final[Colour] = _BY_DAY["ink"]
INK_SOFT: Final[Colour] = _BY_DAY["ink-soft"]
WINE: Final[Colour] = _BY_DAY["wine"]
GOLD: Final[Colour] = _BY_DAY["gold"]
ALARM: Final[Colour] = _BY_DAY["alarm"]
SEATS: Final[tuple[Colour, ...]] = tuple(_BY_DAY[f"seat-{seat}"] for seat in range(8))
