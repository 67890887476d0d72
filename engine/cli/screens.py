"""Texts that a player sees at the terminal, all from that player's view."""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.positions.history import History
from engine.questions import Question
from engine.view import view
from engine.view.view_types import BeingView, EffectView, Row, View
from engine.words.narrate import narrate
from engine.words.questions import option_text, question_text

MAX_SHOWN_SETS: Final = 16
"""The number of each hand's latest gestures that the screen shows."""
HELP_TEXT: Final = (
    "LH S                 the left hand makes a gesture: F P S W D C, > (stab) or - (nothing)",
    "BH C                 both hands make the same gesture",
    "RH Missile           the right hand casts this spell, even if it completes others too",
    "TARGET LH Bram       the left hand’s spell or stab is aimed at Bram",
    "TARGET goblin Bram   my goblin attacks Bram",
    "SAY Have at you!     a message, shown at the reveal",
    "Anything left out takes its default. docs/ORDERS.md explains all orders.",
    "An empty line ends your orders. RESIGN leaves the duel, QUIT ends it as a draw.",
)


def report_lines(history: History, observer: str, since: int) -> list[str]:
    """Return the reports of all turns after the one with the ordinal `since`."""
    seen = view(history, observer)
    lines: list[str] = []
    for report in narrate(seen):
        if report.ordinal > since:
            lines += [report.title[:1].upper() + report.title[1:]]
            lines += [f"  {line.text}" for line in report.lines]
    return lines


def duel_lines(history: History, observer: str) -> list[str]:
    """Return everyone's gestures so far, and the state of all beings."""
    seen = view(history, observer)
    return [*_gesture_lines(seen), *(_being_line(seen, being) for being in seen.status)]


def _gesture_lines(seen: View) -> Iterator[str]:
    width = max(len(wizard.name) for wizard in seen.wizards)
    for wizard in seen.wizards:
        rows = [row for turn in seen.turns for row in turn.rows.get(wizard.id, ())]
        if rows:
            yield f"{wizard.name:<{width}}  left hand   {_letters_of_hand(rows, 'left')}"
            yield f"{'':<{width}}  right hand  {_letters_of_hand(rows, 'right')}"


def _letters_of_hand(rows: Sequence[Row], side: str) -> str:
    cells = [row.left if side == "left" else row.right for row in rows[-MAX_SHOWN_SETS:]]
    return " ".join(cell.letter for cell in cells)


def _being_line(seen: View, being: BeingView) -> str:
    parts = [f"{being.damage} of {being.limit} damage"] if being.damage is not None else []
    if being.state not in ("standing", "alive", "unseen"):
        parts.append(being.state)
    if being.controller:
        parts.append(f"obeys {seen.names[being.controller]}")
    if being.bank:
        parts.append(f"has banked {seen.rules.spells[being.bank].name}")
    parts += [_effect_text(effect) for effect in being.effects]
    return f"{being.name}: {', '.join(parts) or 'not seen'}"


def _effect_text(effect: EffectView) -> str:
    if effect.turns_left is None:
        return effect.name
    return f"{effect.name} ({effect.turns_left} {'turn' if effect.turns_left == 1 else 'turns'})"


def question_lines(history: History, question: Question) -> list[str]:
    """Return the question and its numbered options, as its wizard reads them."""
    seen = view(history, question.wizard)
    options = [
        f"  {number}  {option_text(seen, question, option)}"
        for number, option in enumerate(question.options, 1)
    ]
    return [question_text(seen, question), *options]
