"""Tests of the command line: output for valid records, and errors for invalid ones.

For an invalid record, every command exits with 2 and prints the place and the reason on stderr.
"""

import copy
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.cli.main import main
from engine.json_values import InvalidData
from engine.proof.commitment import seal_commitment
from engine.proof.record import InvalidRecord
from engine.proof.replay import replay
from engine.proof.transcript import transcript
from engine.proof.verify import verify
from engine.rulesets import RULESETS
from tests import daily
from tests.engine.whole_records import begun_with_draws, whole_record

Json = dict[str, Any]
SALTS = {"left": "00" * 32, "left_subject": "11" * 32, "right": "22" * 32}
SEALED = {"left": "D", "left_subject": "w1", "right": "-"}
COMMITMENT = seal_commitment(SEALED, SALTS)

RECORD: Json = {
    "format": "spellcaster-record",
    "version": 2,
    "ruleset": "bartle-1",
    "options": [],
    "wizards": [{"name": "Ada", "pronouns": "she"}, {"name": "Bram", "pronouns": "he"}],
    "setup": None,
    "dice": {"kind": "hmac", "seed": "00ff"},
    "turns": [
        {"ordinal": 1, "number": 1, "kind": "normal", "commitments": [],
         "orders": {"w0": {"left": "S", "right": "W", "say": "En garde!"}},
         "answers": {}, "damage": {"w0": 0, "w1": 0}},
        {"ordinal": 2, "number": 2, "kind": "normal", "commitments": [COMMITMENT, ""],
         "orders": {"w0": SEALED, "w1": {"left": "W", "right": "W"}},
         "answers": {}, "damage": {"w0": 0, "w1": 1},
         "seals": [{"wizard": "w0", "fields": dict(SEALED), "salts": SALTS,
                    "commitment": COMMITMENT}]},
        {"ordinal": 3, "number": 3, "kind": "normal", "resigned": ["w1"], "played": False,
         "commitments": [], "orders": {}, "answers": {}, "damage": {"w1": 1}},
    ],
    "ended": {"how": "resigned", "result": "w0"},
}  # fmt: skip


# A record with every kind of proof, including a rollback and a resignation.
WHOLE_RECORD = whole_record(3)
SEALS = [
    seal for turn in (*WHOLE_RECORD["turns"], *WHOLE_RECORD["void_turns"]) for seal in turn["seals"]
]
SUPERSEDED_COUNT = sum(seal["superseded"] for seal in SEALS)
FIELDS = sum(len(seal["fields"]) for seal in SEALS)
OWN_CHANCE_COUNT = sum(bool(seal["fields"]["chance"]) for seal in SEALS)
DRAW_COUNT = sum(
    len(turn["draws"]) for turn in (*WHOLE_RECORD["turns"], *WHOLE_RECORD["void_turns"])
)


def changed(*path: str | int, to: object) -> Json:
    """Return the valid record with another value at this path."""
    record = copy.deepcopy(RECORD)
    part: Any = record
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = to
    return record


def without(*path: str | int) -> Json:
    record = copy.deepcopy(RECORD)
    part: Any = record
    for key in path[:-1]:
        part = part[key]
    del part[path[-1]]
    return record


@pytest.fixture
def file(tmp_path: Path) -> Callable[[object], str]:
    """Return a function that writes a record, or bytes, to a file and returns its path."""

    def write(content: object) -> str:
        path = tmp_path / "record.json"
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return str(path)

    return write


# Valid records


def test_replay_prints_the_damage_after_every_turn(file, capsys) -> None:
    assert main(["replay", file(RECORD)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "turn 1: Ada 0, Bram 0",
        "turn 2: Ada 0, Bram 1",
        "turn 3: Ada 0, Bram 1",
        "result: Ada wins",
    ]


def test_replay_reports_whose_time_ran_out(file, capsys) -> None:
    """rules: turn:forfeit"""
    ended = {**RECORD, "ended": {"how": "time", "result": "w0"}}
    assert isinstance(RECORD["turns"], list)
    last = {**RECORD["turns"][2], "forfeited": ["w1"]}
    record = {**ended, "turns": [*RECORD["turns"][:2], last]}
    assert main(["transcript", file(record)]) == 0
    assert "  Bram runs out of time. [turn:forfeit]" in capsys.readouterr().out.splitlines()


def test_only_wizards_who_left_can_forfeit(file, capsys) -> None:
    record = changed("turns", 0, "forfeited", to=["w1"])
    assert main(["replay", file(record)]) == 2
    assert "turns[0].forfeited: must be among" in capsys.readouterr().err


def test_abandoned_duel_has_no_winner(file) -> None:
    assert isinstance(RECORD["turns"], list)
    ended = {"how": "abandoned", "result": "draw"}
    record = {**RECORD, "turns": RECORD["turns"][:2], "ended": ended}
    assert main(["replay", file(record)]) == 0


def test_transcript_command_prints_the_duel(file, capsys) -> None:
    assert main(["transcript", file(RECORD)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Ada against Bram (Bartle, bartle-1)",
        "Ada and Bram face each other with empty hands. [turn:start]",
        "The referee casts Dispel Magic to sweep away all earlier magic. [R115]",
        "An Anti-spell on everyone follows: no earlier gesture counts. [R115]",
        "",
        "Turn 1",
        "  Ada   S W",
        "  Bram  - -",
        "  Ada says: \u201cEn garde!\u201d [turn:reveal]",
        "",
        "Turn 2",
        "  Ada   D -",
        "  Bram  W W",
        "  Ada casts Missile at Bram. [spell:missile]",
        "  Ada’s Missile hits Bram for 1 point. [spell:missile]",
        "  Bram has 1 point of damage now. [turn:damage]",
        "",
        "Turn 3",
        "  Bram resigns. [turn:resign]",
        "  Ada wins the duel. [turn:winner]",
        "",
        "Ada has won.",
    ]


def speech(wizard: str, ordinal: int, words: str, *, late: bool = False) -> Json:
    return {"wizard": wizard, "ordinal": ordinal, "after_end": late, "words": words}


def test_transcript_includes_messages_between_turns_and_after_the_end(file, capsys) -> None:
    """rules: F69, F94"""
    speeches = [
        speech("w0", 2, "A fine day."),
        speech("w1", 2, "Is it?\nI think not."),
        speech("w1", 9, "In a turn that was not played."),
        speech("w1", 3, "Well played.", late=True),
    ]
    said = {**RECORD, "speeches": speeches}
    assert main(["replay", file(said)]) == 0
    lines = transcript(said).splitlines()
    assert [line for line in lines if line.startswith("  #")] == [
        "  # Ada: A fine day.",
        "  # Bram: Is it?",
        "  #   I think not.",
        "  # Bram: In a turn that was not played.",
        "  # Bram: Well played.",
    ]
    assert lines[lines.index("Turn 2") + 1] == "  # Ada: A fine day."
    assert lines[-3:] == [
        "  # Bram: In a turn that was not played.",
        "Ada has won.",
        "  # Bram: Well played.",
    ]
    assert [line for line in lines if "#" not in line] == transcript(RECORD).splitlines()


@pytest.mark.parametrize(
    ("row", "place"),
    [
        (speech("w9", 1, "Boo."), "speeches[0].wizard"),
        ({"wizard": "w0", "words": "Boo."}, "speeches[0].ordinal"),
        ({"wizard": "w0", "ordinal": 1}, "speeches[0].words"),
        ("Boo.", "speeches[0]"),
    ],
)
def test_error_names_a_malformed_message(row: object, place: str) -> None:
    with pytest.raises(InvalidData) as invalid:
        transcript({**RECORD, "speeches": [row]})
    assert invalid.value.field == place


def test_verify_lists_checks_and_omissions(file, capsys) -> None:
    assert main(["verify", file(WHOLE_RECORD)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "checked: turns 8, void turns 2",
        "checked: positions 20, by hash and by playing every turn again",
        f"checked: seals {len(SEALS)}, {SUPERSEDED_COUNT} of them superseded; fields {FIELDS}",
        f"checked: salts of seals {len(SEALS)}, by the seed",
        f"checked: draws {DRAW_COUNT}, by the seed",
        f"checked: seals with the wizard's own random number {OWN_CHANCE_COUNT}",
        "checked: seeds 2",
        "checked: acts of referees 1",
        f"checked: chain, which ends with {WHOLE_RECORD['ended']['chain']}",
        "not covered: wizards[].name, wizards[].pronouns, speeches",
        "holds",
    ]


def test_verify_mentions_predetermined_dice(file, capsys) -> None:
    draws = {
        draw["label"]: draw["value"] for turn in WHOLE_RECORD["turns"] for draw in turn["draws"]
    }
    laid = begun_with_draws(WHOLE_RECORD, draws)
    assert main(["verify", file(laid)]) == 0
    assert f"draws {DRAW_COUNT}, set in advance, not random" in capsys.readouterr().out
    laid["dice"]["draws"]["turn 9 confusion w0 hand"] = 1
    assert main(["verify", file(laid)]) == 1
    assert "chain: is" in capsys.readouterr().out


def test_unfinished_agreed_and_annulled_duels_can_be_replayed(file, capsys) -> None:
    running = {**RECORD, "turns": RECORD["turns"][:2], "ended": None}
    assert main(["replay", file(running)]) == 0
    assert capsys.readouterr().out.endswith("result: unfinished\n")
    assert transcript(running).endswith("The duel is not over.\n")
    agreed = {**running, "ended": {"how": "agreed", "result": "draw"}}
    assert transcript(agreed).endswith("The wizards agreed on a draw.\n")
    annulled = {**running, "ended": {"how": "annulled", "result": None}}
    assert transcript(annulled).endswith("The duel was annulled.\n")


def test_replay_marks_extra_turns(file, capsys) -> None:
    setup = {"wizards": [{"left": "SPP", "right": "---"}]}
    turns = [
        {"orders": {"w0": {"left": "C", "right": "C"}}},
        {"number": 1, "kind": "extra", "orders": {"w0": {"left": "W", "right": "W"}}},
    ]
    record = {**RECORD, "setup": setup, "turns": turns, "ended": None}
    assert main(["replay", file(record)]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "turn 1 extra: Ada 0, Bram 0"
    assert "Extra turn 1" in transcript(record)


def test_spells_command_lists_the_spellbook(capsys) -> None:
    assert main(["spells"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 42
    assert "WDDc      Lightning Bolt (once per battle), damaging" in lines
    assert main(["spells", "bartle-1"]) == 0
    assert capsys.readouterr().out.splitlines() == lines


@pytest.mark.parametrize("ruleset", RULESETS)
def test_ruleset_name_without_version_means_the_newest(ruleset: str, capsys) -> None:
    assert main(["spells", ruleset.removesuffix("-1")]) == 0
    assert capsys.readouterr().out.startswith(f"{ruleset}: ")


def test_unknown_ruleset_is_reported_with_the_known_ones(capsys) -> None:
    for name in ("bartle-2", "bart", ""):
        assert main(["spells", name]) == 2
        error = capsys.readouterr().err
        assert error.startswith(f"engine: ruleset: unknown ruleset {name!r}; known rulesets: ")
        assert "bartle-1" in error


def test_engine_runs_as_a_module_without_other_packages(file) -> None:
    """The engine runs in its own process, with only the standard library."""
    root = Path(engine.__file__).parent.parent
    run = subprocess.run(
        [sys.executable, "-I", "-c", _ISOLATED.format(root=str(root), path=file(WHOLE_RECORD))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.endswith("\nholds\n")
    run = subprocess.run(
        [sys.executable, "-m", "engine", "replay", file(b"{")],
        capture_output=True,
        text=True,
        check=False,
        cwd=root,
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.count("\n") == 1


def test_output_works_on_an_ascii_terminal(file) -> None:
    record = RECORD | {"wizards": [{"name": "Ünal"}, {"name": "Bram"}]}
    run = subprocess.run(
        [sys.executable, "-m", "engine", "replay", file(record)],
        capture_output=True,
        check=False,
        cwd=Path(engine.__file__).parent.parent,
        env={"PYTHONIOENCODING": "ascii"},
    )
    assert (run.returncode, run.stderr) == (0, b"")
    assert run.stdout.startswith(b"turn 1: \\xdcnal 0")


_ISOLATED = """
import runpy, sys
sys.path[:] = [p for p in sys.path if "site-packages" not in p] + [{root!r}]
sys.argv[1:] = ["verify", {path!r}]
runpy.run_module("engine", run_name="__main__", alter_sys=True)
"""


# Bad records

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
    "half a character": (
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
    "nobody": (changed("wizards", to=[]), "wizards: a duel has 2 to 8 wizards"),
    "one name twice": (changed("wizards", 1, "name", to="Ada"), "wizards: every wizard needs"),
    "unknown pronouns": (
        changed("wizards", 1, "pronouns", to="we"), "wizards[1].pronouns: must be one",
    ),
    "a name that is none": (changed("wizards", 1, "name", to=7), "wizards[1].name: must be"),
    "unknown setup": (changed("setup", to={"weather": 1}), "setup: unknown key 'weather'"),
    "a wizard who repeats a victim": (
        changed("setup", to={"wizards": [{"effects": {"amnesia": {"victims": ["w1"]}}}]}),
        "setup.wizards[0].effects: a wizard repeats gestures",
    ),
    "a paralysis of no hand": (
        changed("setup", to={"wizards": [{"effects": {"paralysis": {"turns": 1}}}]}),
        "setup.wizards[0].effects.paralysis: needs a hand",
    ),
    "a charm of nobody": (
        changed("setup", to={"wizards": [{"effects": {"charm_person": {"hand": "L"}}}]}),
        "setup.wizards[0].effects.charm_person: a charm needs a caster and a hand",
    ),
    "a stranger's monster": (
        changed("setup", to={"monsters": [{"kind": "ogre", "controller": "w2"}]}),
        "setup.monsters[0].controller: must be one of",
    ),
    "unknown monster": (
        changed("setup", to={"monsters": [{"kind": "dragon"}]}), "setup.monsters[0].kind: must be",
    ),
    # dice
    "no dice": (without("dice"), "dice: must be an object"),
    "unknown dice": (changed("dice", "kind", to="loaded"), "dice.kind: must be one of"),
    "a seed that is none": (changed("dice", "seed", to="xyz"), "dice.seed: must be hexadecimal"),
    "a draw that is none": (
        changed("dice", to={"kind": "recorded", "draws": {"hand": "six"}}), "dice.draws.hand: must",
    ),
    "a draw that is missing": (
        {**CONFUSED_RECORD, "dice": {"kind": "recorded", "draws": {}}},
        "turns[0]: no draw was recorded for 'turn 1 confusion w0 hand'",
    ),
    "a draw that cannot be": (
        {**CONFUSED_RECORD, "dice": {"kind": "recorded", "draws": {"turn 1 confusion w0 hand": 6}}},
        "turns[0]: 'turn 1 confusion w0 hand': 6 is not below 6",
    ),
    # turns
    "no turns": (without("turns"), "turns: must be a list"),
    "a turn that is none": (changed("turns", 1, to="W W"), "turns[1]: must be an object"),
    "another number": (changed("turns", 1, "number", to=3), "turns[1].number: is 3, but should"),
    "another kind": (changed("turns", 1, "kind", to="extra"), "turns[1].kind: is 'extra', but"),
    "a turn after the end": (
        changed("turns", to=[*RECORD["turns"], RECORD["turns"][0]]),
        "turns[3]: the duel is over before this turn",
    ),
    "a resigning stranger": (
        changed("turns", 0, "resigned", to=["w5"]), "turns[0].resigned: 'w5' cannot",
    ),
    "no orders at all": (changed("turns", 0, "orders", to=[]), "turns[0].orders: must be"),
    "a stranger's orders": (
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
    "an answer that is none": (
        changed("turns", 0, "answers", to={"paralysis": 1}), "turns[0].answers.paralysis: must be",
    ),
    "wrong damage": (
        changed("turns", 1, "damage", "w1", to=5), "turns[1].damage.w1: is 5, but should be 1",
    ),
    "a stranger's damage": (
        changed("turns", 1, "damage", "w4", to=0), "turns[1].damage.w4: is 0, but should be 'no",
    ),
    # the end
    "another winner": (
        changed("ended", "result", to="w1"), "ended.result: is 'w1', but should be 'w0'",
    ),
    "an end that is none": (changed("ended", "how", to="rain"), "ended.how: must be one of"),
    "an end too early": (
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


@pytest.mark.parametrize("path", ["nowhere.json", "."])
def test_missing_file_is_rejected(tmp_path: Path, capsys, path: str) -> None:
    assert main(["replay", str(tmp_path / path)]) == 2
    assert "directory" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [[], ["resolve"], ["replay"], ["replay", "a", "b"], ["spells", "bartle-9"], ["--quiet"]],
    ids=lambda arguments: " ".join(arguments) or "nothing",
)
def test_invalid_arguments_are_rejected_in_one_line(capsys, arguments: list[str]) -> None:
    try:
        code: object = main(arguments)
    except SystemExit as end:
        code = end.code
    assert code == 2
    assert capsys.readouterr().err.count("\n") == 1


# Seals


@pytest.mark.parametrize(
    ("path", "to", "told"),
    [
        (("fields", "left_subject"), "w0", "salts.left_subject: is missing"),
        (("salts", "left"), "ff" * 32, "salts.left: is 'ffff"),
        (("commitment",), "00" * 32, "turns[1].seals[1].commitment: is '0000"),
        (("fields", "place"), "duel 8 turn 2", "fields.place: is 'duel 8"),
        (("superseded",), True, "turns[1].commitments: is ["),
        (("wizard",), "w2", "turns[1].seals[1].fields.place: is"),
    ],
)  # fmt: skip
def test_tampered_seal_fails_verification(
    file, capsys, path: tuple[str, ...], to: object, told: str
) -> None:
    record = copy.deepcopy(WHOLE_RECORD)
    part: Any = record["turns"][1]["seals"][1]
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = to
    assert main(["verify", file(record)]) == 1
    printed = capsys.readouterr().out
    assert told in printed
    assert printed.endswith("\ndoes not hold\n")
    assert main(["replay", file(record)]) == 0  # replay does not check seals


@pytest.mark.parametrize(
    ("way", "to", "told"),
    [
        (("turns", 0, "weather"), 1, "turns[0].weather: does not exist"),
        (("turns", 1, "seals", 0, "salts", "left"), "salt", "salts.left: must be 64 hexadecimal"),
        (("turns", 1, "closed_at"), "noon", "turns[1].closed_at: must be a time in UTC"),
        (("turns", 1, "played"), 1, "turns[1].played: must be true or false"),
        (("acts", 0), {"ordinal": 1}, "acts[0].chain: is missing"),
    ],
)  # fmt: skip
def test_verify_rejects_an_incomplete_record(
    file, capsys, way: tuple[str | int, ...], to: object, told: str
) -> None:
    record = copy.deepcopy(WHOLE_RECORD)
    part: Any = record
    for key in way[:-1]:
        part = part[key]
    part[way[-1]] = to
    assert main(["verify", file(record)]) == 2
    assert told in capsys.readouterr().err


def test_verify_rejects_a_record_without_the_fields_for_verification(file, capsys) -> None:
    assert main(["verify", file(RECORD)]) == 2
    assert "duel: is missing" in capsys.readouterr().err


@pytest.mark.parametrize("record", [[], {}, "duel", {**RECORD, "version": 1}])
def test_verify_rejects_invalid_records(file, capsys, record: object) -> None:
    assert main(["verify", file(record)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_verify_also_replays(file, capsys) -> None:
    record = copy.deepcopy(WHOLE_RECORD)
    record["turns"][1]["damage"]["w1"] += 5
    assert main(["verify", file(record)]) == 1
    assert "turns[1].damage.w1" in capsys.readouterr().out


# Records with every field that a record can have

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


def paths_of_parts(record: Json) -> list[tuple[str | int, ...]]:
    return paths_in(record)[1:]


def paths_in(value: Any, here: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the paths of every part of the record."""
    found = [here]
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            found += paths_in(value[key], (*here, key))
    return found


WRONG_VALUES: tuple[object, ...] = (
    None,
    True,
    -1,
    10**6,
    0.5,
    "",
    "x",
    "w1",
    "w7",
    "LL",
    [],
    ["x"],
    {},
    {"x": {}},
    {"x": 1},
)


def with_value(record: Json, way: tuple[str | int, ...], value: object) -> Json:
    """Return the record with another value, as a copy that shares all unchanged parts."""
    new = copy.copy(record)
    part: Any = new
    for key in way[:-1]:
        part[key] = copy.copy(part[key])
        part = part[key]
    part[way[-1]] = value
    return new


def value_at(record: Json, way: tuple[str | int, ...]) -> object:
    part: Any = record
    for key in way:
        part = part[key]
    return part


def test_record_with_every_field_replays() -> None:
    assert len(replay(RECORD_WITH_SETUP).turns) == 2


@pytest.mark.parametrize(
    "way", paths_in(RECORD_WITH_SETUP)[1:], ids=lambda way: ".".join(map(str, way))
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


@pytest.mark.parametrize(
    "kind", sorted({re.sub(r"\d+", "#", str(way)) for way in paths_of_parts(WHOLE_RECORD)})
)
def test_any_changed_value_of_a_complete_record_fails_verification(kind: str) -> None:
    """Verification must not raise errors other than InvalidRecord.

    A third of the wrong values is tried each day.
    """
    way = next(way for way in paths_of_parts(WHOLE_RECORD) if re.sub(r"\d+", "#", str(way)) == kind)
    for wrong in daily.sample(WRONG_VALUES, 3, kind):
        is_another = repr(value_at(WHOLE_RECORD, way)) != repr(wrong)
        try:
            holds = verify(with_value(WHOLE_RECORD, way, wrong)) == []
        except InvalidRecord:
            continue
        assert not holds or not is_another or way[0] in ("wizards", "speeches")


def test_version_option_prints_release(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"Spellcaster {engine.RELEASE}\n"
