"""Tests of the errors of the command line for invalid records.

Every command exits with 2 and prints the place and the reason on stderr.
"""

import json
import re

import pytest

from engine.cli.main import main
from engine.proof.record import InvalidRecord
from engine.proof.replay import replay
from engine.proof.transcript import transcript
from tests.engine.sample_record import (
    RECORD,
    SEALED,
    WRONG_VALUES,
    Json,
    changed,
    value_paths,
    with_value,
    without,
)

CONFUSED_RECORD: Json = {
    **RECORD,
    "setup": {"wizards": [{"effects": {"confusion": {"turns": 1}}}]},
    "turns": [{"orders": {}}],
    "ended": None,
}
REJECTED_FILES: dict[str, tuple[object, str]] = {
    # files
    "truncated": (json.dumps(RECORD).encode()[:300], "record.json, line 1: is not JSON"),
    "empty": (b"", "line 1: is not JSON"),
    "not JSON": (b"turn 1: S D\n", "line 1: is not JSON"),
    "second line": (b'{\n"a" 1}', "line 2: is not JSON"),
    "binary": (bytes(range(256)), "is not UTF-8 text"),
    "deep nesting": (b"[" * 100_000, "is nested too deeply"),
    "a number of 5,000 digits": (b'{"version": ' + b"1" * 5000 + b"}", "is not JSON"),
    "half of a surrogate pair": (
        json.dumps(RECORD).replace("En garde", "\\ud800").encode(), "not valid text",
    ),
    # the complete record
    "a list": ([RECORD], "record: must be an object"),
    "a number": (7, "record: must be an object"),
    "null": (None, "record: must be an object"),
    "another format": (changed("format", to="chess"), "format: must be one of"),
    "no format": (without("format"), "format: must be"),
    "another version": (changed("version", to=1), "version: must be 4, 3 or 2"),
    "no version": (without("version"), "version: must be 4, 3 or 2"),
    # the duel
    "unknown ruleset": (changed("ruleset", to="bartle-9"), "ruleset: unknown ruleset 'bartle-9'"),
    "unknown option": (changed("options", to=["lax"]), "options: unknown option 'lax'"),
    "no wizards": (changed("wizards", to=[]), "wizards: a duel has 2 to 8 wizards"),
    "the same name twice": (changed("wizards", 1, "name", to="Ada"), "wizards: every wizard needs"),
    "unknown pronouns": (
        changed("wizards", 1, "pronouns", to="we"), "wizards[1].pronouns: must be one",
    ),
    "a name that is not text": (changed("wizards", 1, "name", to=7), "wizards[1].name: must be"),
    "unknown setup": (changed("setup", to={"weather": 1}), "setup: unknown key 'weather'"),
    "a wizard who repeats a victim": (
        changed("setup", to={"wizards": [{"effects": {"amnesia": {"victims": ["w1"]}}}]}),
        "setup.wizards[0].effects: a wizard repeats gestures",
    ),
    "a paralysis without a hand": (
        changed("setup", to={"wizards": [{"effects": {"paralysis": {"turns": 1}}}]}),
        "setup.wizards[0].effects.paralysis: needs a hand",
    ),
    "a charm without a caster": (
        changed("setup", to={"wizards": [{"effects": {"charm_person": {"hand": "L"}}}]}),
        "setup.wizards[0].effects.charm_person: a charm needs a caster and a hand",
    ),
    "a monster of an unknown wizard": (
        changed("setup", to={"monsters": [{"kind": "ogre", "controller": "w2"}]}),
        "setup.monsters[0].controller: must be one of",
    ),
    "unknown monster": (
        changed("setup", to={"monsters": [{"kind": "dragon"}]}), "setup.monsters[0].kind: must be",
    ),
    # dice
    "no dice": (without("dice"), "dice: must be an object"),
    "unknown dice": (changed("dice", "kind", to="loaded"), "dice.kind: must be one of"),
    "an invalid seed": (changed("dice", "seed", to="xyz"), "dice.seed: must be hexadecimal"),
    "an invalid draw": (
        changed("dice", to={"kind": "recorded", "draws": {"hand": "six"}}), "dice.draws.hand: must",
    ),
    "a missing draw": (
        {**CONFUSED_RECORD, "dice": {"kind": "recorded", "draws": {}}},
        "turns[0]: no draw was recorded for 'turn 1 confusion w0 hand'",
    ),
    "an impossible draw": (
        {**CONFUSED_RECORD, "dice": {"kind": "recorded", "draws": {"turn 1 confusion w0 hand": 6}}},
        "turns[0]: 'turn 1 confusion w0 hand': 6 is not below 6",
    ),
    # turns
    "no turns": (without("turns"), "turns: must be a list"),
    "an invalid turn": (changed("turns", 1, to="W W"), "turns[1]: must be an object"),
    "another number": (changed("turns", 1, "number", to=3), "turns[1].number: is 3, but should"),
    "another kind": (changed("turns", 1, "kind", to="extra"), "turns[1].kind: is 'extra', but"),
    "a turn after the end": (
        changed("turns", to=[*RECORD["turns"], RECORD["turns"][0]]),
        "turns[3]: the duel is over before this turn",
    ),
    "an unknown wizard who resigns": (
        changed("turns", 0, "resigned", to=["w5"]), "turns[0].resigned: 'w5' cannot",
    ),
    "no orders at all": (changed("turns", 0, "orders", to=[]), "turns[0].orders: must be"),
    "orders of an unknown wizard": (
        changed("turns", 0, "orders", "w2", to={"left": "W"}), "turns[0].orders.w2: there is no",
    ),
    "an unknown field": (
        changed("turns", 0, "orders", "w0", "middle", to="W"),
        "turns[0].orders.w0.middle: is not a field of orders",
    ),
    "a field of two lines": (
        changed("turns", 0, "orders", "w0", "a\nb", to="W"), "is not a field of orders",
    ),
    "no gesture": (
        changed("turns", 0, "orders", "w0", "left", to="K"), "turns[0].orders.w0.left: must be one",
    ),
    "an unknown spell": (
        changed("turns", 1, "orders", "w0", to={**SEALED, "left_spell": "umbrella"}),
        "turns[1].orders.w0.left_spell: There is no spell 'umbrella'. (turn:casting)",
    ),
    "illegal orders": (
        changed("turns", 0, "orders", "w0", to={"left": ">", "right": ">"}),
        "turns[0].orders.w0.left: You have only one knife: stab with one hand only. (R16)",
    ),
    "an invalid answer": (
        changed("turns", 0, "answers", to={"paralysis": 1}), "turns[0].answers.paralysis: must be",
    ),
    "wrong damage": (
        changed("turns", 1, "damage", "w1", to=5), "turns[1].damage.w1: is 5, but should be 1",
    ),
    "damage of an unknown wizard": (
        changed("turns", 1, "damage", "w4", to=0), "turns[1].damage.w4: is 0, but should be 'no",
    ),
    # the end
    "another winner": (
        changed("ended", "result", to="w1"), "ended.result: is 'w1', but should be 'w0'",
    ),
    "an unknown way to end": (changed("ended", "how", to="rain"), "ended.how: must be one of"),
    "an end before the last turn": (
        changed("turns", to=RECORD["turns"][:2]), "ended.result: is 'w0', but should be 'unfin",
    ),
}  # fmt: skip


@pytest.mark.parametrize("command", ["replay", "transcript"])
@pytest.mark.parametrize("name", REJECTED_FILES)
def test_invalid_record_is_rejected_in_one_line(file, capsys, name: str, command: str) -> None:
    content, reason = REJECTED_FILES[name]
    assert main([command, file(content)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert re.match(r"engine: \S+/record.json, line \d+: ", printed.err)
    assert reason in printed.err
    assert printed.err.count("\n") == 1
    assert "Traceback" not in printed.err


@pytest.mark.parametrize(
    ("way", "to", "line"),
    [
        (("version",), 1, '"version": 1,'),
        (("ruleset",), "bartle-9", '"ruleset": "bartle-9",'),
        (("turns", 1, "number"), 7, '"number": 7,'),
        (("turns", 1, "orders", "w0", "left_spell"), "umbrella", '"left_spell": "umbrella"'),
        (("turns", 1, "orders", "w0", "charmed:w1.L"), "x", '"charmed:w1.L": "x"'),
        (("setup",), {"wizards": [{"damage": 1}, {"damage": 99}]}, '"damage": 99'),
        (("ended", "how"), "rain", '"how": "rain",'),
    ],
)  # fmt: skip
@pytest.mark.parametrize("indent", [1, "\t"])
def test_error_names_the_line_of_invalid_json(
    file, capsys, way: tuple[str | int, ...], to: object, line: str, indent: int | str
) -> None:
    text = json.dumps(changed(*way, to=to), indent=indent)
    assert main(["verify" if way == ("version",) else "replay", file(text.encode())]) == 2
    (number,) = re.findall(r"record.json, line (\d+): ", capsys.readouterr().err)
    assert text.splitlines()[int(number) - 1].strip() == line


RECORD_WITH_SETUP: Json = {
    **RECORD,
    "setup": {
        "turn": 4,
        "wizards": [
            {"damage": 3, "left": "SF", "right": "-P", "bank": "missile",
             "effects": {"charm_person": {"turns": 1, "caster": "w1", "hand": "L"},
                         "blindness": {"turns": 2}}},
            {"effects": {"paralysis": {"turns": 1, "hand": "L", "letter": "F"},
                         "haste": {"permanent": True}}},
            {"effects": {"amnesia": {"turns": 1, "sets": ["WP", "SD"]}}},
        ],
        "monsters": [{"kind": "ogre", "controller": "w0", "victim": "w1", "damage": 1,
                      "effects": {"amnesia": {"turns": 1, "victims": ["w1"]}}},
                     {"kind": "goblin", "state": "corpse"}],
    },
    "wizards": [*RECORD["wizards"], {"name": "Cleo", "pronouns": "they"}],
    "turns": [
        {"number": 4, "kind": "normal", "resigned": [], "commitments": ["aa"],
         "orders": {"w0": {"left": "W", "right": "P", "victim:m0": "w1", "release": "yes"},
                    "w1": {"right": ">", "charmed:w0.L": "W"}, "w2": {}},
         "answers": {"paralysis:L:w0": "L"}, "damage": {}},
        {"number": 5, "orders": {"w0": {"left": "W"}, "w1": {"left": "P"}}},
    ],
    "ended": None,
}  # fmt: skip


def test_record_with_every_field_replays() -> None:
    assert len(replay(RECORD_WITH_SETUP).turns) == 2


@pytest.mark.parametrize(
    "way", value_paths(RECORD_WITH_SETUP)[1:], ids=lambda way: ".".join(map(str, way))
)
def test_record_with_any_value_in_any_field_is_played_or_rejected(
    way: tuple[str | int, ...],
) -> None:
    """Every value either raises InvalidRecord or results in a transcript."""
    for wrong in WRONG_VALUES:
        try:
            told = transcript(with_value(RECORD_WITH_SETUP, way, wrong))
        except InvalidRecord:
            continue
        assert told.endswith(".\n")
