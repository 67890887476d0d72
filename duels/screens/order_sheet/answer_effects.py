"""The effects of answers to questions, such as what a paralysed hand will make."""

from collections.abc import Mapping
from typing import Final

from duels.queries.rows import AskedQuestion
from engine.play import LETTERS, View

PARALYSIS_QUESTIONS: Final = ("paralysis", "paralysis_hand")
SPELL_QUESTIONS: Final = ("left_spell", "right_spell")


def answer_effect(
    question: AskedQuestion, option: str, view: View, effects: Mapping[str, str]
) -> str:
    """Return the effect of this answer as far as the wizard knows it, or "" if there is nothing to
    say.

    `effects` has the effects of spells by id.
    """
    if question.kind in PARALYSIS_QUESTIONS:
        return held_hand_effect(view, question.about, option)
    if question.kind in SPELL_QUESTIONS:
        return effects.get(option, "")
    if question.kind == "charm_gesture":
        return _charmed_gesture_effect(question, option, view)
    if question.kind == "elemental":
        kind = view.rules.monsters[option]
        resistance = next(
            (spell.name for spell in view.rules.spells.values() if spell.resists == option), ""
        )
        spared = f" except those with {resistance}" if resistance else ""
        return f"attacks everyone{spared}, for {kind.attack}"
    return ""


def held_hand_effect(view: View, wizard: str, hand: str) -> str:
    """Return text on how a paralysis changes this hand's last gesture, or "" if the wizard did not
    see that gesture.

    rules: R80
    """
    rows = next((turn.rows[wizard] for turn in reversed(view.turns) if turn.rows.get(wizard)), ())
    if not rows or rows[-1].is_hidden or hand not in ("L", "R"):
        return ""
    letter = (rows[-1].left if hand == "L" else rows[-1].right).letter
    becomes = view.rules.paralysed.get(letter, letter)
    if becomes != letter:
        return f"{letter} becomes {becomes}"
    return f"{letter} stays {letter}" if letter in LETTERS else ""


def _charmed_gesture_effect(question: AskedQuestion, letter: str, view: View) -> str:
    completed = dict.fromkeys(
        step.name
        for seen in view.hands
        if (seen.wizard, seen.hand) == (question.about, question.hand)
        for step in seen.progress
        if step.remaining == letter
    )
    return f"completes {' or '.join(completed)}" if completed else ""
