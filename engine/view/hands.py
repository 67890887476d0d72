"""Spells that hands have begun, as far as an observer has seen them. rules: F49"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.legality.progress import (
    earliest_turns_of_unseen_spells,
    spells_in_progress,
    visible_progress,
)
from engine.legality.upcoming_sets import sets_after, upcoming_sets_by_turn
from engine.positions.history import History
from engine.positions.position import STANDING, Wizard, hand_states
from engine.rulesets.ruleset import Ruleset
from engine.view.possible_letters import possible_letters
from engine.view.view_types import ALL, FOG, FOG_ROW, BeingView, HandView, Row, TurnView


class KnownLetters(NamedTuple):
    """The latest letters of both hands, as far as an observer knows them.

    `is_whole`: whether the observer knows that no earlier letter still counts.
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
    """Yield the hands of every wizard in the duel, as far as the observer has seen them.

    rules: F49
    """
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
        ahead = sets_after(upcoming_sets_by_turn(position, wizard, effects), len(revealed))
        possible = possible_letters(history, turns, wizard, effects, observer, ahead[0])
        unseen = (
            ((), ())
            if trail.is_whole
            else earliest_turns_of_unseen_spells(rules, *trail.letters, ahead, possible)
        )
        if possible:
            progress = tuple(
                visible_progress(rules, trail.letters, number, possible, used, ahead)
                for number in (0, 1)
            )
        else:
            progress = tuple(
                spells_in_progress(rules, state, used_bolt=used, upcoming_sets=ahead)
                for state in hand_states(rules, trail.left, trail.right)
            )
        hands = zip("LR", trail.letters, progress, unseen, strict=True)
        for hand, letters, steps, out_of_sight in hands:
            yield HandView(wizard.id, hand, letters, tuple(steps), out_of_sight)


def _own_letters(rules: Ruleset, wizard: Wizard, revealed: Sequence[Row]) -> KnownLetters:
    """Return all letters since the last break, including a turn that still waits for answers."""
    left = wizard.left + "".join(row.left.letter for row in revealed)
    right = wizard.right + "".join(row.right.letter for row in revealed)
    depth = rules.automaton.depth
    return KnownLetters(left[-depth:], right[-depth:], True)


def _seen_letters(history: History, turns: Sequence[TurnView], wizard: str) -> KnownLetters:
    """Return the letters that the observer knows since the last break or fog."""
    left = right = ""
    is_whole = _has_no_gestures_before(history, wizard)
    for turn in turns:
        for row in turn.rows.get(wizard, ()):
            if row is FOG_ROW or row.left.letter == FOG:
                left, right, is_whole = "", "", False
            else:
                left, right = left + row.left.letter, right + row.right.letter
        if wizard in turn.breaks:
            left, right, is_whole = "", "", True
    depth = history.position.rules.automaton.depth
    return KnownLetters(left[-depth:], right[-depth:], is_whole)


def _has_no_gestures_before(history: History, wizard: str) -> bool:
    """Return whether it is known that the wizard made no gestures before the given turns.

    If the given turns do not begin with the first one, this is unknown: a break may be hidden.
    """
    if not history.turns:
        return not history.position.wizard(wizard).left
    first = history.turns[0]
    return first.ordinal == 1 and not first.position.wizard(wizard).left
