"""The effects of answers to questions, such as what a paralysed hand will make."""

from collections.abc import Iterator, Mapping
from typing import Final

from duels.queries.rows import AskedQuestion
from engine.play import HAND_NAMES, LETTERS, Caution, Sheet, View

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
        return charmed_gesture_effect(view, question.about, question.hand, option)
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


def charmed_gesture_effect(view: View, wizard: str, hand: str, letter: str) -> str:
    """Return the spells that this hand completes with the letter, or "" if it completes none."""
    completed = dict.fromkeys(
        step.name if step.remaining == letter else f"{step.name} if both hands make it"
        for seen in view.hands
        if (seen.wizard, seen.hand) == (wizard, hand)
        for step in seen.progress
        if step.remaining.upper() == letter
    )
    return f"completes {' or '.join(completed)}" if completed else ""


def charmed_hand_warnings(sheet: Sheet, view: View, fields: Mapping[str, str]) -> Iterator[Caution]:
    """Yield a warning for each chosen gesture that completes a spell of a charmed hand's owner."""
    for hand in sheet.charmed:
        field = f"charmed:{hand.key}"
        effect = charmed_gesture_effect(view, hand.wizard, hand.hand, fields.get(field, ""))
        if effect:
            owner = view.names[hand.wizard]
            text = f"{owner}’s {HAND_NAMES[hand.hand]} {effect}, and {owner} chooses its target."
            yield Caution("charm_completes", f"spell:{view.rules.charming}", text, field)
