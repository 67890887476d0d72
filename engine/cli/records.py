"""Commands that print the example of a record, or read one: replay, transcript and verify."""

from pathlib import Path
from typing import Final

from engine.cli.input import JsonFile
from engine.json_values import InvalidData
from engine.positions.position import DRAW, Position
from engine.proof.record import Mismatch
from engine.proof.replay import replay
from engine.proof.transcript import transcript
from engine.proof.verify import UNCHECKED_WITHOUT_SEED, examine

EXAMPLE_RECORD_PATH: Final = Path(__file__).with_name("example.json")
"""The record of a short duel, written by the command `play`."""


def print_example() -> int:
    print(EXAMPLE_RECORD_PATH.read_text(encoding="utf-8"), end="")
    return 0


def run_record_command(command: str, name: str) -> int:
    """Replay, transcribe or verify the record in the file, and return the exit code."""
    file = JsonFile(name)
    try:
        if command == "verify":
            return _verify(file.value)
        if command == "transcript":
            print(transcript(file.value), end="")
        else:
            print("\n".join(_replay_lines(file.value)))
    except InvalidData as error:
        raise file.error_in_file(error) from error
    return 0


def _replay_lines(record: object) -> list[str]:
    history = replay(record)
    after = [turn.position for turn in history.turns[1:]] + [history.position]
    lines = [
        f"turn {turn.position.turn}{' extra' if turn.position.kind == 'extra' else ''}: "
        + ", ".join(f"{wizard.name} {wizard.damage}" for wizard in position.wizards)
        for turn, position in zip(history.turns, after, strict=True)
    ]
    return [*lines, f"result: {_result_line(history.position)}"]


def _result_line(position: Position) -> str:
    if not position.outcome:
        return "unfinished"
    if position.outcome == DRAW:
        return "draw"
    return f"{position.wizard(position.outcome).name} wins"


def _verify(record: object) -> int:
    """Print what was checked, or the first error, and return the exit code."""
    try:
        found = examine(record)
    except Mismatch as fault:
        print(fault)
        print("does not hold")
        return 1
    for line in found.lines:
        print(f"checked: {line}")
    is_whole = not set(UNCHECKED_WITHOUT_SEED) & set(found.not_covered)
    chain = "chain" if is_whole else "last links of the chain"
    print(f"checked: {chain}, which ends with {found.chain}")
    print(f"not covered: {', '.join(found.not_covered)}")
    print("holds")
    return 0
