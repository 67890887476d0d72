"""Checks of the answers to a turn's questions. rules: promise 14

The engine plays the default for a missing answer. Without these checks, someone could leave an
answer out of a record, or let another wizard give it.
"""

from collections.abc import Mapping
from typing import Any

from engine.orders import from_fields
from engine.positions.position import Position
from engine.proof.commitment import submitted_fields
from engine.proof.record import Mismatch, dice_of_turn
from engine.questions import Question
from engine.resolve import questions

Row = Mapping[str, Any]  # a record, or a part of one, whose schema has been checked


def check_answers(place: str, row: Row, turn: Row, position: Position) -> None:
    """Raise Mismatch unless each question of this turn was answered by the wizard it was put to.

    `position` is the position in which the turn was played.
    """
    asked = _questions_of_turn(place, row, turn, position)
    for number, seal in enumerate(turn["seals"]):
        if seal["stage"] != "answers" or seal["superseded"]:
            continue
        for name in submitted_fields(seal["fields"]):
            if name in asked and asked[name].wizard != seal["wizard"]:
                text = f"answers a question to {asked[name].wizard}"
                raise Mismatch(f"{place}.seals[{number}].fields.{name}", text)


def _questions_of_turn(place: str, row: Row, turn: Row, position: Position) -> dict[str, Question]:
    """Return the turn's questions by id. Raise Mismatch if one has no valid answer."""
    orders = {wizard: from_fields(flat) for wizard, flat in turn["orders"].items()}
    drawn = {draw["label"]: draw["value"] for draw in turn["draws"]}
    dice = dice_of_turn(row, tuple(turn["commitments"]), turn.get("roll_backs", 0), drawn=drawn)
    asked: dict[str, Question] = {}
    given: dict[str, str] = {}
    while open_now := questions(position, orders, given, dice):
        for question in open_now:
            answer = turn["answers"].get(question.id)
            if answer not in question.options:
                text = f"is {answer!r}, but must be one of {', '.join(question.options)}"
                raise Mismatch(f"{place}.answers.{question.id}", text)
            asked[question.id] = question
            given[question.id] = answer
    return asked
