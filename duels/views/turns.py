"""How a turn is called: after its number, and after who acts in it. rules: turn:extra, R99"""

from duels import adjudication
from duels.models import TurnKind


def turn_words(ruleset: str, number: int, kind: str) -> str:
    """The turn in words, as they stand within a sentence."""
    if kind != TurnKind.EXTRA:
        return f"turn {number}"
    if adjudication.rulesets()[ruleset].acts_before_turns:
        return f"action before turn {number}"
    return f"extra turn {number}"


def turn_label(ruleset: str, number: int, kind: str) -> str:
    """The turn as the grid's narrow column names it: a plus where an extra one stands."""
    if kind != TurnKind.EXTRA:
        return str(number)
    if adjudication.rulesets()[ruleset].acts_before_turns:
        return f"+{number}"
    return f"{number}+"
