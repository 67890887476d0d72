"""Rules with a heading in RULES.md, which cases, code and reports may cite or quote."""

import re
from pathlib import Path
from typing import Final

import engine
from engine.rules_text.quoting import Rulebook, rulebook

_HEADING = re.compile(r"^### (\S+) — .+$", re.MULTILINE)
_TEXT = (Path(engine.__file__).parent / "RULES.md").read_text(encoding="utf-8")

RULES: Final[tuple[str, ...]] = tuple(_HEADING.findall(_TEXT))

BOOK: Final[Rulebook] = rulebook(_TEXT)
