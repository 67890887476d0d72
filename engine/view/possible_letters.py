"""Gestures that an observer knows to be possible for a wizard in the coming turn.

They follow from the mind spells that the observer knows and the gestures that they have seen.
Without this knowledge, any gesture is possible. rules: R80, R82, R87, R168, W18, W24, F49
"""

from collections.abc import Collection, Sequence
from typing import Final

from engine.gestures import GESTURES
from engine.legality.hand_constraints import hand_limits
from engine.legality.progress import PossibleLetters
from engine.positions.history import History
from engine.positions.position import EXTRA, NORMAL, Position, Wizard, can_make_gestures
from engine.rulesets.choices import NUMBERED, MindTiming, TimeStopMode
from engine.rulesets.ruleset import Ruleset
from engine.spellbook import HandEffect
from engine.view.status import knows_hand
from engine.view.view_types import ALL, FOG, FOG_ROW, TurnView

EFFECTS_BY_PREVIOUS_ROW: Final = (HandEffect.REPEATED, HandEffect.HELD)
EFFECTS_BY_FIRST_ROW: Final = (HandEffect.CHARMED, HandEffect.DRAWN)
"""Effects that, if permanent, repeat the gesture that was first made under them."""
ANY_LETTERS: Final = (GESTURES, GESTURES)


def possible_letters(
    history: History,
    turns: Sequence[TurnView],
    wizard: Wizard,
    known: Collection[str],
    observer: str,
    sets: int,
) -> PossibleLetters:
    """Return the letters that each hand can make in each of the coming turn's sets.

    `known`: the effects on the wizard that the observer knows. The result is empty if no effect
    limits the hands, or if that turn's gestures are already revealed.
    """
    if not wizard.effects or (history.is_open and turns[-1].rows.get(wizard.id)):
        return ()
    own = _with_known_effects(history.position, wizard, known, observer)
    position = _position_when_acting(history.position, own)
    limits = hand_limits(position, own)
    kind = limits.mind
    if not kind or not _knows_letters(position.rules, turns, own, kind, observer):
        return ()
    bound = 1 if position.rules.minds is MindTiming.NEXT_ROW else sets
    found = tuple(
        (left or limits.letters, right or limits.letters) for left, right in limits.forced[:bound]
    )
    return () if all(each == ANY_LETTERS for each in found) else found


def _with_known_effects(
    position: Position, wizard: Wizard, known: Collection[str], observer: str
) -> Wizard:
    """Return the wizard without the parts of effects that the observer does not know."""
    if observer in (ALL, wizard.id):
        return wizard
    own = wizard.copy()
    own.effects = {
        kind: effect
        if knows_hand(position, wizard, effect, observer)
        else effect._replace(hand="", letter="")
        for kind, effect in wizard.effects.items()
        if kind in known
    }
    return own


def _position_when_acting(position: Position, wizard: Wizard) -> Position:
    """Return the position before the next turn in which the wizard makes gestures.

    rules: R97, R98, W8
    """
    if can_make_gestures(position, wizard):
        return position
    rules = position.rules
    is_numbered = rules.order_of_play == NUMBERED
    comes_after = position.kind == EXTRA and rules.time_stop is TimeStopMode.AFTER_TURN
    later = position.copy()
    later.kind = NORMAL
    later.turn += is_numbered or comes_after
    return later


def _knows_letters(
    rules: Ruleset, turns: Sequence[TurnView], wizard: Wizard, kind: str, observer: str
) -> bool:
    """Return whether the observer saw the gestures that this mind spell repeats. rules: R80, R82"""
    hands = rules.spells[kind].hands
    if hands not in (*EFFECTS_BY_PREVIOUS_ROW, *EFFECTS_BY_FIRST_ROW):
        return True
    if observer in (ALL, wizard.id):
        return True
    since = wizard.effects[kind].first - (hands in EFFECTS_BY_PREVIOUS_ROW)
    rows = [row for turn in turns if turn.number >= since for row in turn.rows.get(wizard.id, ())]
    rows = rows or [row for turn in turns for row in turn.rows.get(wizard.id, ())][-1:]
    return bool(rows) and all(row is not FOG_ROW and row.left.letter != FOG for row in rows)
