"""Spells that hands have begun, by what an observer has seen of them. rules: F49"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.history import History
from engine.position import STANDING, Wizard, hand_states
from engine.progress import begun, begun_within, turns_of_unseen
from engine.rulesets import Ruleset
from engine.sets_ahead import sets_after, sets_by_turn
from engine.view.bars import possible_letters
from engine.view.shapes import (
    ALL,
    FOG,
    FOG_ROW,
    BeingView,
    HandView,
    Row,
    TurnView,
)


class Trail(NamedTuple):
    """The letters of both hands that an observer knows of, up to now.

    `is_whole`: whether they know that no letter that counts still was made before those.
    """

    left: str
    right: str
    is_whole: bool

    @property
    def letters(self) -> tuple[str, str]:
        return self.left, self.right


def hands_in_progress(
    history: History, turns: Sequence[TurnView], status: Sequence[BeingView], observer: str
) -> Iterator[HandView]:
    """Each standing wizard's hands, by what the observer has seen of them. rules: F49"""
    position, rules = history.position, history.position.rules
    known = {being.id: {effect.code for effect in being.effects} for being in status}
    for wizard in position.wizards:
        if wizard.standing != STANDING:
            continue
        is_open_to = observer in (ALL, wizard.id)
        revealed = turns[-1].rows.get(wizard.id, ()) if history.is_open else ()
        trail = (
            _own_letters(rules, wizard, revealed)
            if is_open_to
            else _seen_letters(history, turns, wizard.id)
        )
        used = wizard.used_bolt and is_open_to
        effects = known.get(wizard.id, ())
        ahead = sets_after(sets_by_turn(position, wizard, effects), len(revealed))
        possible = possible_letters(history, turns, wizard, effects, observer, ahead[0])
        unseen = (
            ((), ()) if trail.is_whole else turns_of_unseen(rules, *trail.letters, ahead, possible)
        )
        if possible:
            progress = tuple(
                begun_within(rules, trail.letters, number, possible, used, ahead)
                for number in (0, 1)
            )
        else:
            progress = tuple(
                begun(rules, state, used_bolt=used, sets_ahead=ahead)
                for state in hand_states(rules, trail.left, trail.right)
            )
        hands = zip("LR", trail.letters, progress, unseen, strict=True)
        for hand, letters, steps, out_of_sight in hands:
            yield HandView(wizard.id, hand, letters, tuple(steps), out_of_sight)


def _own_letters(rules: Ruleset, wizard: Wizard, revealed: Sequence[Row]) -> Trail:
    """The letters since the last break, with those of a turn that waits for answers still."""
    left = wizard.left + "".join(row.left.letter for row in revealed)
    right = wizard.right + "".join(row.right.letter for row in revealed)
    depth = rules.automaton.depth
    return Trail(left[-depth:], right[-depth:], True)


def _seen_letters(history: History, turns: Sequence[TurnView], wizard: str) -> Trail:
    """The letters since the last break or fog that the observer knows of."""
    left = right = ""
    is_whole = _begins_with(history, wizard)
    for turn in turns:
        for row in turn.rows.get(wizard, ()):
            if row is FOG_ROW or row.left.letter == FOG:
                left, right, is_whole = "", "", False
            else:
                left, right = left + row.left.letter, right + row.right.letter
        if wizard in turn.breaks:
            left, right, is_whole = "", "", True
    depth = history.position.rules.automaton.depth
    return Trail(left[-depth:], right[-depth:], is_whole)


def _begins_with(history: History, wizard: str) -> bool:
    """Whether the wizard had made nothing before the turns that are given.

    Of later turns than the first nobody but the wizard knows it: a break may have been hidden.
    """
    if not history.turns:
        return not history.position.wizard(wizard).left
    first = history.turns[0]
    return first.ordinal == 1 and not first.position.wizard(wizard).left
