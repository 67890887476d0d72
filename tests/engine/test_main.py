"""Tests of the command line: its output for valid records and its other options."""

import subprocess
import sys
from pathlib import Path

import pytest

import engine
from engine.cli.main import main
from engine.json_values import InvalidData
from engine.proof.transcript import transcript
from engine.rulesets import RULESETS
from tests.engine.sample_record import RECORD, WHOLE_RECORD, Json, changed


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
        [
            sys.executable,
            "-I",
            "-c",
            ISOLATED_PROGRAM.format(root=str(root), path=file(WHOLE_RECORD)),
        ],
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


ISOLATED_PROGRAM = """
import runpy, sys
sys.path[:] = [p for p in sys.path if "site-packages" not in p] + [{root!r}]
sys.argv[1:] = ["verify", {path!r}]
runpy.run_module("engine", run_name="__main__", alter_sys=True)
"""


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


def test_version_option_prints_release(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"Spellcaster {engine.RELEASE}\n"
