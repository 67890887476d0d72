"""Tests of the commands that begin a duel and play one turn of it, as JSON."""

import io
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

import engine.play
from engine.cli.main import main
from engine.orders import fields
from engine.rulesets import RULESETS
from tests import daily
from tests.engine.random_duels import random_duel
from tests.engine.test_codec import FULL_POSITION, with_value_at
from tests.engine.test_json_schema import WRONG_VALUES, paths_of_parts

Json = dict[str, Any]
CONFUSED_SETUP: Json = {"wizards": [{"effects": {"confusion": {"turns": 1}}}]}
ELEMENTAL_SETUP: Json = {"wizards": [{"left": "CSWW", "right": "C---"}]}
SUMMONING_ORDERS: Json = {"w0": {"left": "S"}}


def duel(setup: Json | None = None, ruleset: str = "bartle-1") -> Json:
    """Return the position of a duel between Ada and Bram."""
    wizards = [engine.play.Duellist("Ada"), engine.play.Duellist("Bram")]
    return engine.play.dump(engine.play.begin(ruleset, wizards, setup=setup))


Resolve = Callable[[object], tuple[int, Any]]


@pytest.fixture
def resolve(monkeypatch, capsys) -> Resolve:
    """Return a function that returns the exit code of `resolve`, and its output or error."""

    def call(value: object) -> tuple[int, Any]:
        text = value if isinstance(value, str) else json.dumps(value)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        code = main(["resolve"])
        printed = capsys.readouterr()
        return code, printed.err if code == 2 else json.loads(printed.out)

    return call


def test_begin_prints_the_first_position(capsys) -> None:
    assert main(["begin", "warlocks", "Ada:f", "Bram", "--option", "parafc"]) == 0
    position = engine.play.load_position(json.loads(capsys.readouterr().out))
    assert (position.ruleset, position.options) == ("warlocks-1", ("parafc",))
    assert [(each.name, each.pronouns) for each in position.wizards] == [
        ("Ada", "she"), ("Bram", "they"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["chess", "Ada", "Bram"], "ruleset: unknown ruleset 'chess'"),
        (["bartle", "Ada"], "wizards: a duel has 2 to 8 wizards"),
        (["bartle", "Ada", "Ada"], "wizards: every wizard needs a name"),
        (["bartle", "Ada", "Bram", "--option", "lax"], "options: unknown option 'lax'"),
    ],
)
def test_begin_rejects_impossible_duels(arguments: list[str], error: str, capsys) -> None:
    assert main(["begin", *arguments]) == 2
    printed = capsys.readouterr().err
    assert printed.startswith(f"engine: {error}")
    assert printed.count("\n") == 1


@pytest.mark.parametrize("ruleset", RULESETS)
def test_resolve_plays_whole_duels(ruleset: str, resolve: Resolve) -> None:
    """The command has the same result as the function `engine.play.resolve`."""
    chance = random.Random(f"resolve {ruleset}")
    for step in random_duel(chance, ruleset=ruleset, turns=25):
        drawn = {
            each.label: each.value for each in step.events if isinstance(each, engine.play.Drew)
        }
        code, result = resolve({
            "position": engine.play.dump(step.position),
            "orders": {wizard: fields(own) for wizard, own in step.orders.items()},
            "answers": step.answers,
            "draws": drawn,
            "seed": "00",
        })  # fmt: skip
        assert code == 0
        assert engine.play.load(result["position"]) == step.after
        assert engine.play.load(result["events"]) == step.events


def test_resolve_accepts_text_orders(resolve: Resolve) -> None:
    as_text = resolve({"position": duel(), "orders": {"w0": "LH S\nSAY Hello"}})
    as_fields = resolve({"position": duel(), "orders": {"w0": {"left": "S", "say": "Hello"}}})
    assert as_text == as_fields
    assert as_text[0] == 0


def test_resolve_reads_a_file(tmp_path, capsys) -> None:
    path = tmp_path / "turn.json"
    path.write_text(json.dumps({"position": duel()}), encoding="utf-8")
    assert main(["resolve", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["position"]["turn"] == 2


def test_resolve_lists_faults_with_code_field_and_rule(resolve: Resolve) -> None:
    orders = {"w0": "LH Q", "w1": {"left": ">", "right": ">"}}
    code, result = resolve({"position": duel(), "orders": orders})
    assert code == 1
    (unreadable,), illegal = result["faults"]["w0"], result["faults"]["w1"]
    assert (unreadable["line"], unreadable["column"]) == (1, 4)
    assert [(fault["code"], fault["field"], fault["rule"]) for fault in illegal] == [
        ("two_stabs", "left", "R16"),
        ("two_stabs", "right", "R16"),
    ]


def test_resolve_asks_questions_until_all_are_answered(resolve: Resolve) -> None:
    """rules: turn:answers"""
    turn = {"position": duel(ELEMENTAL_SETUP), "orders": SUMMONING_ORDERS}
    code, result = resolve(turn)
    assert code == 3
    (question,) = result["questions"]
    assert (question["kind"], question["options"]) == ("elemental", ["fire", "ice"])
    code, result = resolve({**turn, "answers": {question["id"]: "ice"}})
    assert code == 0
    assert result["position"]["monsters"][0]["kind"] == "ice"
    code, error = resolve({**turn, "answers": {question["id"]: "water"}})
    assert code == 2
    assert "must be one of fire, ice" in error


def test_resolve_needs_a_seed_only_to_roll_dice(resolve: Resolve) -> None:
    turn = {"position": duel(CONFUSED_SETUP)}
    drawn = {"turn 1 confusion w0 hand": 0, "turn 1 confusion w0 gesture": 3}
    assert resolve({**turn, "seed": "00ff"})[0] == resolve({**turn, "draws": drawn})[0] == 0
    code, error = resolve(turn)
    assert code == 2
    assert "draws: no draw was recorded for 'turn 1 confusion w0 hand'" in error


NO_ORDERS: Json = {"format": 1, "type": "orders", "fields": {}}
BAD_INPUT: dict[str, tuple[object, str]] = {
    "not JSON": ("{", "standard input, line 1: is not JSON"),
    "a list": ([], "input: must be an object"),
    "unknown key": ({"position": duel(), "dice": 7}, "unknown key 'dice'"),
    "no position": ({}, "position.data: must be an object"),
    "orders as position": ({"position": NO_ORDERS}, "position."),
    "malformed position": ({"position": {**duel(), "turn": "1"}}, "position.turn: must be a whole"),
    "finished duel": ({"position": {**duel(), "outcome": "w0"}}, "the duel is over"),
    "unknown wizard": ({"position": duel(), "orders": {"w2": {}}}, "orders: must be one of w0"),
    "unknown field": ({"position": duel(), "orders": {"w0": {"foot": "S"}}}, "orders.w0.foot: is"),
    "orders as a number": ({"position": duel(), "orders": {"w0": 7}}, "orders.w0: must be"),
    "unasked answer": ({"position": duel(), "answers": {"a": "b"}}, "answers.a: nobody is asked"),
    "bad seed": ({"position": duel(), "seed": "xyz"}, "seed: must be hexadecimal"),
    "impossible draw": (
        {"position": duel(CONFUSED_SETUP), "draws": {"turn 1 confusion w0 hand": 99}},
        "draws: 'turn 1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_INPUT)
def test_resolve_reports_bad_input_in_one_line(name: str, resolve: Resolve) -> None:
    value, expected = BAD_INPUT[name]
    code, error = resolve(value)
    assert code == 2
    assert expected in error
    assert error.startswith("engine: ")
    assert error.count("\n") == 1


def test_resolve_reports_a_missing_file(capsys) -> None:
    assert main(["resolve", "/nowhere/turn.json"]) == 2
    assert capsys.readouterr().err == "engine: /nowhere/turn.json: No such file or directory\n"


def test_resolve_survives_a_wrong_value_anywhere(resolve: Resolve) -> None:
    """The command prints a result or a one-line error, whatever the value.

    A quarter of the values is replaced each day.
    """
    turn: Json = {
        "position": engine.play.dump(FULL_POSITION),
        "orders": {"w0": {"left": "D", "right": "P", "victim:m0": "w1"}, "w1": "LH F\nSAY Hello"},
        "answers": {},
        "seed": "00ff",
        "commitments": ["00"],
        "draws": {"turn 12 confusion w0 hand": 1},
    }
    assert resolve(turn)[0] == 0
    for way in daily.sample(paths_of_parts(turn), 4):
        for wrong in (*WRONG_VALUES, "w1", 10**30, "\ud800"):
            code, printed = resolve(with_value_at(turn, way, wrong))
            assert code in (0, 1, 2), (way, wrong)
            assert code != 2 or printed.count("\n") == 1
