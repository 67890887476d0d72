"""Which rules there are, by the names of `engine/RULES.md`: their titles, and quoted sentences."""

import re
from dataclasses import replace
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


def quoted(words: str) -> str:
    """The words, with the sentences of the rules that they quote: `{W9}`."""
    return engine.quoted(words, _rulebook())


def differences(ruleset: engine.Ruleset) -> tuple[engine.Difference, ...]:
    """How the ruleset differs from Bartle's, in whole sentences."""
    return tuple(replace(line, text=quoted(line.text)) for line in engine.differences(ruleset))


@cache
def _rulebook() -> engine.Rulebook:
    return engine.rulebook(RULES.read_text("utf-8"))
