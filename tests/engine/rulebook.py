"""The rules that have a heading in RULES.md: what cases, code and report lines may cite."""

import re
from pathlib import Path
from typing import Final

import engine

_HEADING = re.compile(r"^### (\S+) — .+$", re.MULTILINE)
_TEXT = (Path(engine.__file__).parent / "RULES.md").read_text(encoding="utf-8")

RULES: Final[tuple[str, ...]] = tuple(_HEADING.findall(_TEXT))
