"""Sentences about events that a duel's reports leave out, and texts for draws."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Final

import engine.play
from engine.play import GESTURE_NAMES, HAND_NAMES, NOTHING, STAB, Drew, Gestured, Lapsed, Ruleset

DRAW_WORDS: Final[Mapping[str, str]] = {
    "hand": "Hand that the Confusion changes for {being}",
    "gesture": "Gesture that the Confusion makes for {being}",
    "victim": "Victim of {being}, who is confused",
    "opponent": "Opponent picked for {being}",
}


def event_sentence(
    event: engine.play.Event, names: Mapping[str, str], rules: Ruleset
) -> tuple[str, str]:
    """Describe an event that reports leave out, and return the description with the event's rule.

    The description is a sentence, or the event's code and values.
    """
    match event:
        case Gestured(wizard, number, left, right):
            text = f"{names[wizard]} makes {_gesture_words(left)} with the left hand"
            text = f"{text} and {_gesture_words(right)} with the right hand"
            return f"{text}{', in the second set' if number > 1 else ''}.", "turn:reveal"
        case Lapsed(subject, effect):
            spell = rules.spells.get(effect)
            name = spell.name if spell else effect.replace("_", " ")
            return f"{name} on {names.get(subject, subject)} is over.", "turn:clock"
        case _:
            return _code_and_values(event, names), ""


def draw_words(draw: Drew, names: Mapping[str, str]) -> str:
    """Return a description of a draw, such as "Hand that the Confusion changes for Ada"."""
    words = DRAW_WORDS.get(draw.purpose, draw.label)
    return words.format(being=names.get(draw.being, draw.being))


def label_words(label: str, names: Mapping[str, str]) -> str:
    """Return the label of a draw that was not made, with names of beings instead of codes."""
    return " ".join(names.get(word, word) for word in label.split(" "))


def draw_result(draw: Drew, names: Mapping[str, str]) -> str:
    """Return the result of a draw as text: a hand, a gesture or a being's name."""
    if draw.purpose == "hand":
        return HAND_NAMES[draw.result]
    if draw.purpose == "gesture":
        return _gesture_words(draw.result)
    return names.get(draw.result, draw.result)


def _gesture_words(letter: str) -> str:
    if letter == NOTHING:
        return "nothing"
    return "a stab" if letter == STAB else f"{letter} ({GESTURE_NAMES.get(letter, 'unknown')})"


def _code_and_values(event: engine.play.Event, names: Mapping[str, str]) -> str:
    values = ((field.name, getattr(event, field.name)) for field in fields(event))
    said = [
        f"{name} {names.get(value, value) if isinstance(value, str) else value}"
        for name, value in values
        if value is not False and value not in ("", ())
    ]
    return f"{event.code}: {', '.join(said)}"
