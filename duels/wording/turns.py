"""Names and labels of turns, derived from their number and kind.

rules: turn:extra, R97, R99, W8
"""

import engine.play
import engine.words
from engine.play import EXTRA, HASTE, NORMAL, NUMBERED


def turn_label(ruleset: str, number: int, kind: str) -> str:
    """Return the turn's label for the narrow column of the grid.

    The label of an extra turn has a plus before or after the number. If extra turns have their own
    numbers, it has a letter after the number. rules: W8
    """
    if kind == HASTE:
        return f"{number}h"
    if kind != EXTRA:
        return str(number)
    if engine.play.RULESETS[ruleset].order_of_play == NUMBERED:
        return f"{number}t"
    return f"+{number}" if _is_before_numbered_turn(ruleset, number, kind) else f"{number}+"


def _is_before_numbered_turn(ruleset: str, number: int, kind: str) -> bool:
    """Return whether an extra turn precedes the turn with its number. rules: R98, R99"""
    return f"before turn {number}" in engine.words.turn_name(ruleset, kind, number)


def next_turn_words(view: engine.play.View, wizard: str) -> str:
    """Return the name of the next turn in which the wizard makes gestures. rules: W8, W9

    If the open turn is revealed and waits for answers, all wizards make their next gestures in the
    following turn. If the open turn is a hasted turn with its own number, this also applies to
    wizards who do not act in it.
    """
    ruleset, number, kind = view.ruleset, view.turn, view.kind
    is_numbered = view.rules.order_of_play == NUMBERED
    is_revealed = view.is_open and bool(view.turns[-1].rows.get(wizard))
    if not is_revealed and (can_have_grid_row(view, wizard) or not is_numbered):
        return engine.words.turn_name(ruleset, kind, number)
    is_same = not is_numbered and (kind == HASTE or _is_before_numbered_turn(ruleset, number, kind))
    return engine.words.turn_name(ruleset, NORMAL, number if is_same else number + 1)


def can_have_grid_row(view: engine.play.View, wizard: str) -> bool:
    """Return whether a wizard may have a row in the open turn. rules: R97, W9"""
    if view.kind != HASTE:
        return True
    being = next((being for being in view.status if being.id == wizard), None)
    return being is not None and any(
        effect.code == view.rules.hastening for effect in being.effects
    )
