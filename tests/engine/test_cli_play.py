"""Tests of the command that plays a duel at one terminal."""

import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import engine.play
from engine.cli import terminal_duel
from engine.cli.main import main
from engine.cli.terminal import CLEAR_SCREEN, InputEnded
from engine.play import RULESETS, History
from engine.proof.replay import replay
from engine.proof.verify import verify
from engine.words import write_orders
from tests import daily
from tests.engine.random_duels import Player, random_orders

Play = Callable[..., tuple[int, str, str]]
SEALING_LINES = ["", ""]  # the empty line after orders, and the confirmation


@pytest.fixture
def play(monkeypatch, capsys) -> Play:
    """Return a function that plays with these lines of input.

    It returns the exit code, the output and the errors.
    """

    def call(*arguments: str, lines: list[str], is_terminal: bool = False) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        monkeypatch.setattr("sys.stdout.isatty", lambda: is_terminal)
        code = main(["play", *arguments])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call


def test_two_people_play_and_record_a_duel(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "duel.json"
    lines = [
        "",
        "LH S",
        *SEALING_LINES,
        "",
        "LH W",
        *SEALING_LINES,
        "",
        "LH D",
        *SEALING_LINES,
        "",
        "RESIGN",
    ]
    code, out, _ = play("bartle", "Ada", "Bram", "--record", str(path), lines=lines)
    assert code == 0
    assert out.endswith("Ada has won.\n")
    record = json.loads(path.read_text(encoding="utf-8"))
    assert verify(record) == []
    assert record["ended"]["how"] == "resigned"
    assert [turn["played"] for turn in record["turns"]] == [True, False]


def test_screen_is_cleared_before_the_other_player_looks(play: Play) -> None:
    lines = ["", "LH S", "SAY Psst!", *SEALING_LINES, "", "QUIT"]
    _, out, _ = play("bartle", "Ada", "Bram", lines=lines, is_terminal=True)
    before, ada, bram, _ = out.split(CLEAR_SCREEN)
    assert before == ""
    assert "Psst!" in ada
    assert "Psst!" not in bram
    assert "Ada, press Enter when nobody else can see the screen." in ada


def test_one_person_can_play_without_an_opponent(play: Play) -> None:
    lines = [*("LH S", *SEALING_LINES), *("LH D", *SEALING_LINES), "QUIT"]
    _, out, _ = play("spellcast", "Ada", "--against-nothing", lines=lines)
    assert "press Enter" not in out
    assert "Your Missile hits Black for 1 point." in out
    assert out.endswith("The duel was abandoned. It counts as a draw.\n")


def test_end_of_input_ends_the_duel_and_its_record(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "duel.json"
    code, out, _ = play("warlocks", "--record", str(path), lines=["", "LH S", *SEALING_LINES])
    assert code == 0
    assert out.endswith("It counts as a draw.\n")
    assert verify(json.loads(path.read_text(encoding="utf-8"))) == []


def test_faulty_orders_are_explained_and_requested_again(play: Play) -> None:
    lines = ["LH Q", "", "BH >", "", "HELP", "LH P", "", "n", "LH W", *SEALING_LINES]
    _, out, _ = play("bartle", "--against-nothing", lines=lines)
    assert "Line 1: Expected a gesture" in out
    assert "You have only one knife: stab with one hand only. [R16]" in out
    assert "RESIGN leaves the duel" in out
    assert out.count("Write all orders again:") == 3
    assert "White  left hand   W\n" in out


def test_questions_are_asked_until_an_option_is_chosen(play: Play) -> None:
    """rules: turn:answers"""
    lines = [f"{order}" for letters in ("CC", "S-", "W-", "W-", "S-") for order in
             (f"LH {letters[0]}", f"RH {letters[1]}", *SEALING_LINES)]  # fmt: skip
    _, out, _ = play("bartle", "--against-nothing", lines=[*lines, "3", "2", "QUIT"])
    assert "Write a number from 1 to 2." in out
    assert "Ice Elemental" in out


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["chess"], "ruleset: unknown ruleset 'chess'"),
        (["bartle", "Ada", "Ada"], "wizards: every wizard needs a name"),
        (["bartle", "--option", "lax"], "options: unknown option 'lax'"),
        (["--record", "/nowhere/duel.json"], "/nowhere/duel.json: No such file"),
        (["bartle", "Ada\udcff", "Bram"], "name: has half a character"),
    ],
)
def test_impossible_duels_are_rejected_in_one_line(
    arguments: list[str], error: str, play: Play
) -> None:
    code, _, printed = play(*arguments, lines=[])
    assert code == 2
    assert printed.startswith(f"engine: {error}")
    assert printed.count("\n") == 1


def test_input_that_is_not_text_is_rejected(monkeypatch, capsys) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(b"\n\xff\n"), encoding="utf-8", errors="strict")
    monkeypatch.setattr("sys.stdin", stdin)
    assert main(["play"]) == 2
    assert capsys.readouterr().err == "engine: standard input: is not UTF-8 text\n"


class RandomPlayers:
    """Simulated players who type legal orders, choose random options, and sometimes leave."""

    def __init__(self, ruleset: str, wizards: int, seed: int) -> None:
        self.chance = random.Random(f"{ruleset} {wizards} {seed}")
        names = [engine.play.Duellist(name) for name in ("Ada", "Bram", "Cleo")[:wizards]]
        position = engine.play.begin(ruleset, names)
        self.ids = {wizard.name: wizard.id for wizard in position.wizards}
        patterns = [each.pattern for each in position.rules.completables]
        self.players = {id: Player(self.chance, patterns) for id in self.ids.values()}
        self.duel = terminal_duel._TerminalDuel(position, list(self.players))
        self.typed: list[str] = []
        self.wizard = ""
        self.turns = self.chance.randrange(5, 40)

    def ask(self, prompt: str) -> str:
        if "press Enter" in prompt:
            self.wizard, self.typed = self.ids[prompt.partition(",")[0]], []
        elif "Your choice" in prompt:
            return self.chance.choice(("", "1", "2", "x"))
        elif prompt == "> ":
            return self.next_line()
        return ""

    def next_line(self) -> str:
        if not self.typed:
            if len(self.duel.turns) >= self.turns:
                return self.chance.choice(("RESIGN", "QUIT"))
            position = self.duel.position
            orders = random_orders(position, self.wizard, self.players[self.wizard])
            self.typed = [*write_orders(orders, position, self.wizard).splitlines(), ""]
        return self.typed.pop(0)


@pytest.mark.parametrize("seed", daily.sample(range(3), 3, "terminal"))
@pytest.mark.parametrize("wizards", [2, 3])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_record_of_any_duel_at_the_terminal_verifies(
    ruleset: str, wizards: int, seed: int, monkeypatch
) -> None:
    players = RandomPlayers(ruleset, wizards, seed)

    def ask(prompt: str) -> str:
        if (typed := players.ask(prompt)) == "QUIT":
            raise InputEnded
        return typed

    monkeypatch.setattr(terminal_duel, "ask", ask)
    players.duel.play()
    record: dict[str, Any] = json.loads(json.dumps(players.duel.recorder.record))
    assert verify(record) == []
    played = replay(record)
    assert History(played.turns, played.position) == players.duel.history


def test_example_record_verifies(capsys, tmp_path: Path) -> None:
    assert main(["example"]) == 0
    path = tmp_path / "example.json"
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["verify", str(path)]) == 0
    assert main(["transcript", str(path)]) == 0
    assert capsys.readouterr().out.endswith("Ada has won.\n")
