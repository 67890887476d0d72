"""Commands that begin a duel and play one of its turns, as JSON. `engine/schema.json` describes it.

The input of `resolve` is {"position": as `begin` prints it, "orders": {wizard: the flat form of
orders, or text orders}, "answers": {question id: option}, "seed": hexadecimal, "commitments":
[text], "draws": {label: number}}. Everything except the position can be left out.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from engine import json_values
from engine.cli.input import JsonFile, first_position
from engine.dice import AnyDice, Dice, RecordedDice
from engine.legality.check import check
from engine.orders import Orders, from_fields
from engine.positions.codec import dump, load_position
from engine.positions.position import Position
from engine.questions import Question
from engine.resolve import questions, resolve
from engine.text_orders.notation import UnreadableOrders, parse_orders

INPUT_KEYS = ("position", "orders", "answers", "seed", "commitments", "draws")
EXIT_ILLEGAL_ORDERS, EXIT_OPEN_QUESTIONS = 1, 3
"""Exit codes of `resolve` if orders are illegal, and if questions are still open."""


def begin_duel(ruleset: str, names: Sequence[str], options: Sequence[str]) -> int:
    """Print the position before the first turn of a duel."""
    _print_json(dump(first_position(ruleset, names, options)))
    return 0


def resolve_turn(name: str) -> int:
    """Play the turn in a file. Print the next position with the events, the questions or faults."""
    file = JsonFile(name)
    try:
        return _TurnInput(file.value).resolve()
    except json_values.InvalidData as error:
        raise file.error_in_file(error) from error


class _TurnInput:
    """The input of `resolve`. Raises InvalidData, which names the place of the fault."""

    def __init__(self, value: object) -> None:
        data = json_values.parse_object("input", value)
        json_values.check_keys("input", data, INPUT_KEYS)
        self.position = _read_position(data.get("position"))
        self.orders = json_values.parse_object("orders", data.get("orders", {}))
        self.answers = {
            id: json_values.parse_string(f"answers.{id}", option)
            for id, option in json_values.parse_object("answers", data.get("answers", {})).items()
        }
        self.dice = _read_dice(data)

    def resolve(self) -> int:
        """Print the result and return the exit code."""
        orders, faults = self.read_orders()
        if faults:
            _print_json({"faults": faults})
            return EXIT_ILLEGAL_ORDERS
        try:
            if asked := self.open_questions(orders):
                _print_json({"questions": [asdict(question) for question in asked]})
                return EXIT_OPEN_QUESTIONS
            after, events = resolve(self.position, orders, self.answers, self.dice)
        except json_values.InvalidData:
            raise
        except (LookupError, ValueError) as error:  # from the dice
            raise json_values.InvalidData("draws", error.args[0]) from error
        _print_json({"position": dump(after), "events": dump(events)})
        return 0

    def read_orders(self) -> tuple[dict[str, Orders], dict[str, list[dict[str, object]]]]:
        """Return everyone's orders, and the faults of wizards whose orders are not legal."""
        orders: dict[str, Orders] = {}
        faults: dict[str, list[dict[str, object]]] = {}
        for wizard, written in self.orders.items():
            json_values.parse_choice("orders", wizard, [each.id for each in self.position.wizards])
            try:
                orders[wizard] = own = self.parse_wizard_orders(wizard, written)
            except UnreadableOrders as error:
                faults[wizard] = [asdict(each) for each in error.misreadings]
                continue
            if found := check(self.position, wizard, own):
                faults[wizard] = [asdict(fault) for fault in found]
        return orders, faults

    def parse_wizard_orders(self, wizard: str, written: object) -> Orders:
        """Return a wizard's orders. Raises UnreadableOrders for text orders."""
        if isinstance(written, str):
            return parse_orders(written, self.position, wizard)
        place = f"orders.{wizard}"
        try:
            return from_fields(json_values.parse_object(place, written))
        except json_values.InvalidData as error:
            raise json_values.InvalidData(f"{place}.{error.field}", error.text) from error

    def open_questions(self, orders: Mapping[str, Orders]) -> list[Question]:
        """Return the unanswered questions of the first batch that has any, otherwise an empty list.

        Raises InvalidData for an answer to a question that nobody is asked.
        """
        given: dict[str, str] = {}
        while asked := questions(self.position, orders, given, self.dice):
            if still_open := [each for each in asked if each.id not in self.answers]:
                return still_open
            for each in asked:
                place = f"answers.{each.id}"
                given[each.id] = json_values.parse_choice(
                    place, self.answers[each.id], each.options
                )
        for id in self.answers:
            if id not in given:
                raise json_values.InvalidData(f"answers.{id}", "nobody is asked this question")
        return []


def _read_position(value: object) -> Position:
    try:
        position = load_position(value)
    except json_values.InvalidData as error:
        raise json_values.InvalidData(f"position.{error.field}", error.text) from error
    if position.outcome:
        raise json_values.InvalidData("position.outcome", "the duel is over")
    return position


def _read_dice(data: Mapping[str, object]) -> AnyDice:
    draws = {
        label: json_values.parse_int(f"draws.{label}", value)
        for label, value in json_values.parse_object("draws", data.get("draws", {})).items()
    }
    commitments = json_values.parse_strings("commitments", data.get("commitments", []))
    if "seed" not in data:
        return RecordedDice(draws)
    try:
        seed = bytes.fromhex(json_values.parse_string("seed", data["seed"]))
    except ValueError as error:
        raise json_values.InvalidData("seed", "must be hexadecimal") from error
    return RecordedDice(draws, otherwise=Dice(seed, commitments))


def _print_json(value: Mapping[str, object]) -> None:
    json.dump(value, sys.stdout, ensure_ascii=False, indent=2)
    print()
