"""Spells that hands have begun, by what an observer has seen of them. rules: F49"""

from collections.abc import Iterator, Sequence

from engine.position import STANDING, Position, hand_states
from engine.progress import begun
from engine.rulesets import Ruleset
from engine.sets_ahead import sets_by_turn
from engine.view.shapes import (
    ALL,
    FOG,
    FOG_ROW,
    BeingView,
    HandView,
    TurnView,
)


def hands_in_progress(
    position: Position, turns: Sequence[TurnView], status: Sequence[BeingView], observer: str
) -> Iterator[HandView]:
    """Each standing wizard's hands, by what the observer has seen of them. rules: F49"""
    known = {being.id: {effect.code for effect in being.effects} for being in status}
    for wizard in position.wizards:
        if wizard.standing != STANDING:
            continue
        if observer in (ALL, wizard.id):
            left, right = wizard.left, wizard.right
        else:
            left, right = _seen_letters(position.rules, turns, wizard.id)
        used = wizard.used_bolt and observer in (ALL, wizard.id)
        sets_ahead = sets_by_turn(position, wizard, known.get(wizard.id, ()))
        states = hand_states(position.rules, left, right)
        for hand, letters, state in zip("LR", (left, right), states, strict=True):
            progress = begun(position.rules, state, used_bolt=used, sets_ahead=sets_ahead)
            yield HandView(wizard.id, hand, letters, tuple(progress))


def _seen_letters(rules: Ruleset, turns: Sequence[TurnView], wizard: str) -> tuple[str, str]:
    """The letters since the last break or fog that the observer knows of."""
    left = right = ""
    for turn in turns:
        for row in turn.rows.get(wizard, ()):
            if row is FOG_ROW or row.left.letter == FOG:
                left = right = ""
            else:
                left, right = left + row.left.letter, right + row.right.letter
        if wizard in turn.breaks:
            left = right = ""
    depth = rules.automaton.depth
    return left[-depth:], right[-depth:]
