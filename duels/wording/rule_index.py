"""Index of the rules by their names in `engine/RULES.md`, with titles and sentences to quote."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import engine
import engine.play
import engine.words

RULES_PATH = Path(engine.__file__).parent / "RULES.md"
_HEADING_PATTERN = re.compile(r"^### (\S+) — (.+)$", re.MULTILINE)


@cache
def rule_titles() -> dict[str, str]:
    """Return the title of every rule by its name, such as `{"spell:shield": "Shield"}`."""
    return dict(_HEADING_PATTERN.findall(RULES_PATH.read_text("utf-8").replace("'", "’")))


def rule_named(typed: str) -> str | None:
    """Return the name of a rule as in the rulebook (R12 for "r12 "), or None."""
    wanted = typed.strip().casefold()
    return next((name for name in rule_titles() if name.casefold() == wanted), None)


def with_quoted_rules(words: str) -> str:
    """Replace references such as `{W9}` in a text with sentences quoted from the rules."""
    return engine.words.fill_quotations(words, _rulebook())


def differences(ruleset: engine.play.Ruleset) -> tuple[engine.words.Difference, ...]:
    return tuple(
        replace(line, text=with_quoted_rules(line.text))
        for line in engine.words.differences(ruleset)
    )


@cache
def _rulebook() -> engine.words.Rulebook:
    return engine.words.rulebook(RULES_PATH.read_text("utf-8"))
