"""Index of the rules by their names in `engine/RULES.md`, with titles and sentences to quote."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import engine
import engine.play
import engine.words

RULES = Path(engine.__file__).parent / "RULES.md"
_HEADING = re.compile(r"^### (\S+) — (.+)$", re.MULTILINE)


@cache
def rule_titles() -> dict[str, str]:
    """Return every rule's title by the rule's name, such as `{"R12": "…", "spell:shield":
    "Shield"}`."""
    return dict(_HEADING.findall(RULES.read_text("utf-8").replace("'", "’")))


def rule_named(typed: str) -> str | None:
    """Return the proper name of a rule as typed ("r12 " is R12), or None if there is no such
    rule."""
    wanted = typed.strip().casefold()
    return next((name for name in rule_titles() if name.casefold() == wanted), None)


def with_quoted_rules(words: str) -> str:
    """Return the text, with rules' sentences in place of quotes such as `{W9}`."""
    return engine.words.fill_quotations(words, _rulebook())


def differences(ruleset: engine.play.Ruleset) -> tuple[engine.words.Difference, ...]:
    """Return the ways in which the ruleset differs from Bartle's, as sentences."""
    return tuple(
        replace(line, text=with_quoted_rules(line.text))
        for line in engine.words.differences(ruleset)
    )


@cache
def _rulebook() -> engine.words.Rulebook:
    return engine.words.rulebook(RULES.read_text("utf-8"))
