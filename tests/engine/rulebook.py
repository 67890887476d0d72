"""Rules with a heading in RULES.md, which cases, code and reports may cite or quote."""

import re
from pathlib import Path
from typing import Final

import engine
from engine.rules_text.quoting import Rulebook, rulebook

_HEADING_PATTERN = re.compile(r"^### (\S+) — .+$", re.MULTILINE)
_RULES_TEXT = (Path(engine.__file__).parent / "RULES.md").read_text(encoding="utf-8")

RULES: Final[tuple[str, ...]] = tuple(_HEADING_PATTERN.findall(_RULES_TEXT))

RULEBOOK: Final[Rulebook] = rulebook(_RULES_TEXT)
