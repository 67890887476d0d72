"""How a turn is called: after its number, and after who acts in it.

rules: turn:extra, R97, R99, W8
"""

import engine
from engine import EXTRA, HASTE, NORMAL, NUMBERED


def turn_words(ruleset: str, number: int, kind: str) -> str:
    """The turn in words, as they stand within a sentence."""
    return engine.turn_name(ruleset, kind, number)


def turn_label(ruleset: str, number: int, kind: str) -> str:
    """The turn in the narrow column of the grid: a plus on the side where an extra one stands, or a
    letter where it has a number of its own. rules: W8"""
    if kind == HASTE:
        return f"{number}h"
    if kind != EXTRA:
        return str(number)
    if engine.RULESETS[ruleset].order_of_play == NUMBERED:
        return f"{number}t"
    return f"+{number}" if _comes_before(ruleset, number, kind) else f"{number}+"


def _comes_before(ruleset: str, number: int, kind: str) -> bool:
    """Whether an extra turn precedes the turn for all that has its number. rules: R98, R99"""
    return f"before turn {number}" in turn_words(ruleset, number, kind)


def next_turn_words(view: engine.View, wizard: str) -> str:
    """The next turn in which the wizard makes gestures, in words.

    After those of a revealed turn that waits for answers it is the next turn for all. One who rests
    in a hasted turn with a number of its own makes gestures in the turn after it. rules: W8, W9
    """
    ruleset, number, kind = view.ruleset, view.turn, view.kind
    is_numbered = view.rules.order_of_play == NUMBERED
    is_revealed = view.is_open and bool(view.turns[-1].rows.get(wizard))
    if not is_revealed and (may_make_row(view, wizard) or not is_numbered):
        return turn_words(ruleset, number, kind)
    is_same = not is_numbered and (kind == HASTE or _comes_before(ruleset, number, kind))
    return turn_words(ruleset, number if is_same else number + 1, NORMAL)


def may_make_row(view: engine.View, wizard: str) -> bool:
    """Whether a wizard may have a row in the turn that is open: among the hasted only those who
    are seen to be. rules: R97, W9"""
    if view.kind != HASTE:
        return True
    being = next((being for being in view.status if being.id == wizard), None)
    return being is not None and any(
        effect.code == view.rules.hastening for effect in being.effects
    )
