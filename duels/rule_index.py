"""Which rules there are: the names of `engine/RULES.md`, and what each is called."""

import re
from functools import cache
from pathlib import Path

import engine

RULES = Path(engine.__file__).parent / "RULES.md"
_HEADING = re.compile(r"^### (\S+) — (.+)$", re.MULTILINE)


@cache
def rule_titles() -> dict[str, str]:
    """Every rule's title by its name: `{"R12": "…", "spell:shield": "Shield"}`."""
    return dict(_HEADING.findall(RULES.read_text("utf-8").replace("'", "’")))


def known_rule(typed: str) -> str | None:
    """The rule that somebody has typed, as it is written: "r12 " is R12. None if there is none."""
    wanted = typed.strip().casefold()
    return next((name for name in rule_titles() if name.casefold() == wanted), None)
