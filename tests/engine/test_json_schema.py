"""Tests of engine/schema.json, the JSON Schema of positions, orders, events and histories."""

import io
import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import engine.play
from engine.cli.main import main
from engine.orders import NAMES_WITH_PARTS, PLAIN_FIELDS
from engine.rulesets import RULESETS
from tests import daily
from tests.engine.golden_duels import golden_records, histories_of_record
from tests.engine.json_schema import SCHEMA_PATH, schema_text
from tests.engine.random_duels import Step, random_duel
from tests.engine.test_codec import EXTRA_TURN_POSITION, FULL_POSITION, HISTORY

Json = dict[str, Any]
SCHEMA: Json = json.loads(SCHEMA_PATH.read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
WRONG_VALUES: tuple[object, ...] = (None, True, -999, 0.5, "?", [], [7], {}, {"?": "?"})


@cache
def validator_of_definition(name: str) -> Draft202012Validator:
    """Return the validator of one definition of the schema."""
    return Draft202012Validator({**SCHEMA, "oneOf": [{"$ref": f"#/$defs/{name}"}]})


def random_turns(ruleset: str) -> Iterator[Step]:
    """Yield the turns of some random duels."""
    for number, wizards in enumerate((2, 2, 3)):
        chance = random.Random(f"schema {ruleset} {number}")
        yield from random_duel(chance, ruleset=ruleset, wizards=wizards, turns=40, resigning=0.02)


@cache
def dumped_values(ruleset: str) -> list[Json]:
    """Return the positions, orders and events of those duels, as JSON."""
    values: list[Json] = []
    for step in random_turns(ruleset):
        values += [engine.play.dump(step.position), engine.play.dump(step.events)]
        values += [engine.play.dump(orders) for orders in step.orders.values()]
    return [json.loads(json.dumps(value)) for value in values]


def error_messages(validator: Draft202012Validator, value: object) -> list[str]:
    return [error.message for error in validator.iter_errors(value)]


@pytest.mark.source
def test_schema_is_up_to_date() -> None:
    """`python -m tests.engine.json_schema` regenerates it."""
    assert SCHEMA_PATH.read_text(encoding="utf-8") == schema_text()
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_everything_in_random_duels_matches_the_schema(ruleset: str) -> None:
    for value in dumped_values(ruleset):
        assert VALIDATOR.is_valid(value), error_messages(
            validator_of_definition(value["type"]), value
        )


@pytest.mark.parametrize("name", golden_records())
def test_golden_histories_match_the_schema(name: str) -> None:
    *_, whole = histories_of_record(golden_records()[name])
    assert error_messages(validator_of_definition("history"), engine.play.dump(whole)) == []


def test_rare_values_match_the_schema() -> None:
    """Examples: effects with sets of gestures, corpses, extra turns, and an open turn."""
    waiting = engine.play.History(HISTORY.turns, HISTORY.position, is_open=True)
    for value in (FULL_POSITION, EXTRA_TURN_POSITION, HISTORY, waiting):
        assert error_messages(VALIDATOR, engine.play.dump(value)) == []


@pytest.mark.parametrize("name", [*NAMES_WITH_PARTS, *PLAIN_FIELDS, "victim:m0", "victim2:m17"])
def test_every_order_field_is_in_the_schema(name: str) -> None:
    """The schema accepts at least one value for each name, and none for similar names."""
    values = ("S", "w1", "m0", "L", "BH2", "yes", "fire", "shield")
    assert any(validator_of_definition("fields").is_valid({name: value}) for value in values)
    assert not any(
        validator_of_definition("fields").is_valid({f"{name}x": value}) for value in values
    )


def paths_of_parts(value: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to every part of a JSON value, except the value itself."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield (*here, key)
            yield from paths_of_parts(inner, (*here, key))


def longest_examples(ruleset: str) -> Iterator[tuple[Draft202012Validator, Json]]:
    """Yield the longest position and orders of the random duels, and one event of each kind."""
    longest: dict[str, Json] = {}
    for value in dumped_values(ruleset):
        if value["type"] == "events":
            longest |= {event["code"]: event for event in value["events"]}
        elif len(str(value)) > len(str(longest.get(value["type"], ""))):
            longest[value["type"]] = value
    for value in longest.values():
        yield validator_of_definition(value.get("type", "event")), value


@pytest.mark.parametrize("ruleset", RULESETS)
def test_changed_values_do_not_match_the_schema(ruleset: str) -> None:
    """No part of a position, of orders or of an event can have a value of another type.

    A quarter of the parts is changed each day.
    """
    for validator, value in longest_examples(ruleset):
        assert validator.is_valid(value)
        assert not validator.is_valid({**value, "unknown": 1})
        for way in daily.sample(paths_of_parts(value), 4, ruleset, sorted(value)):
            inner: Any = value
            for key in way[:-1]:
                inner = inner[key]
            old = inner[way[-1]]
            for wrong in WRONG_VALUES:
                if type(wrong) is not type(old):
                    inner[way[-1]] = wrong
                    assert not validator.is_valid(value), (way, wrong)
            inner[way[-1]] = old


REQUIRED_KEYS = (
    ("position", FULL_POSITION, "format"),
    ("position", FULL_POSITION, "type"),
    ("position", FULL_POSITION, "ruleset"),
    ("position", FULL_POSITION, "turn"),
    ("position", FULL_POSITION, "wizards"),
    ("position", FULL_POSITION, "wizards", 0, "name"),
    ("position", FULL_POSITION, "wizards", 0, "damage"),
    ("position", FULL_POSITION, "wizards", 1, "pronouns"),
    ("position", FULL_POSITION, "wizards", 1, "effects", "haste", "first"),
    ("position", FULL_POSITION, "monsters", 0, "id"),
    ("position", FULL_POSITION, "monsters", 0, "kind"),
    ("position", FULL_POSITION, "monsters", 0, "name"),
    ("history", HISTORY, "turns"),
    ("history", HISTORY, "position"),
    ("history", HISTORY, "turns", 0, "ordinal"),
    ("history", HISTORY, "turns", 0, "position", "ruleset"),
    ("history", HISTORY, "turns", 0, "events", 0, "code"),
    ("history", HISTORY, "turns", 0, "events", 0, "wizard"),
)


@pytest.mark.parametrize(("kind", "value", "way"), [(k, v, way) for k, v, *way in REQUIRED_KEYS])
def test_value_without_a_required_key_does_not_match(kind: str, value: Any, way: list[Any]) -> None:
    """The engine does not load it either."""
    short = engine.play.dump(value)
    inner: Any = short
    for key in way[:-1]:
        inner = inner[key]
    del inner[way[-1]]
    assert not validator_of_definition(kind).is_valid(short)
    with pytest.raises(engine.play.InvalidData):
        engine.play.load(short)


def test_input_and_results_of_resolve_match_the_schema(monkeypatch, capsys) -> None:
    wizards = [engine.play.Duellist("Ada"), engine.play.Duellist("Bram")]
    setup = {"wizards": [{"left": "CSWW", "right": "C---"}]}
    position = engine.play.dump(engine.play.begin("bartle-1", wizards, setup=setup))
    codes = []
    for orders in ({"w0": "LH S", "w1": {"left": "P"}}, {"w1": "LH Q"}, {"w1": "BH >"}, {}):
        turn = {"position": position, "orders": orders, "seed": "00ff", "draws": {"a": 1}}
        assert error_messages(validator_of_definition("turn"), turn) == []
        stdin = io.TextIOWrapper(io.BytesIO(json.dumps(turn).encode()))
        monkeypatch.setattr("sys.stdin", stdin)
        codes.append(main(["resolve"]))
        assert (
            error_messages(validator_of_definition("result"), json.loads(capsys.readouterr().out))
            == []
        )
    assert codes == [3, 1, 1, 0]
