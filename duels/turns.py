"""How a turn is called: after its number, and after who acts in it. rules: turn:extra, R97, R99"""

import engine
from engine import EXTRA, HASTE


def turn_words(ruleset: str, number: int, kind: str) -> str:
    """The turn in words, as they stand within a sentence."""
    return engine.turn_name(ruleset, kind, number)


def turn_label(ruleset: str, number: int, kind: str) -> str:
    """The turn in the narrow column of the grid: a plus on the side where an extra one stands."""
    if kind == HASTE:
        return f"{number}h"
    if kind != EXTRA:
        return str(number)
    comes_before = f"before turn {number}" in turn_words(ruleset, number, kind)
    return f"+{number}" if comes_before else f"{number}+"
