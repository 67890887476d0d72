"""The command line: `python -m engine replay|transcript|verify|battles|spells`.

After bad input, it exits with code 2 and prints one line on stderr that names the file, the line,
the place and the reason.
"""

import argparse
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NoReturn, cast

from engine import RELEASE
from engine.battles import Battle, Comparison, as_json, comparisons, parse_battle
from engine.json_values import NOTHING, InvalidData
from engine.positions.position import DRAW, Position
from engine.proof.record import Mismatch as RecordMismatch
from engine.proof.replay import replay
from engine.proof.source import NotJson, line_of, value_of
from engine.proof.transcript import transcript
from engine.proof.verify import WITHOUT_SEED, examine
from engine.rulesets import RULESETS
from engine.rulesets.ruleset import Ruleset

SHOWN: Final = 72  # maximum number of characters printed for a value


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Return exit code 0, 1 if a check fails, or 2 for bad input."""
    options = _parser().parse_args(arguments)
    try:
        if options.command == "spells":
            print("\n".join(_spell_lines(_ruleset(options.ruleset))))
            return 0
        if options.command == "battles":
            return _battles([Path(file) for file in options.files], options.limit)
        return _run_record_command(options.command, Path(options.record))
    except BadInput as error:
        return print_error(str(error))


class BadInput(ValueError):
    """Error for input that is unreadable or makes no sense. The message names the place."""


def _parser() -> argparse.ArgumentParser:
    parser = _OneLineParser(prog="python -m engine", description="Check and replay recorded duels.")
    parser.add_argument("--version", action="version", version=f"Spellcaster {RELEASE}")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, what in (
        ("replay", "replay a record and print the damage after every turn"),
        ("transcript", "print a record's duel as text"),
        ("verify", "check a record and its seals"),
    ):
        commands.add_parser(name, help=what).add_argument("record", help="record file (JSON)")
    battles = commands.add_parser("battles", help="replay recorded battles of Warlocks")
    battles.add_argument("files", nargs="+", metavar="file", help="battle document (JSON)")
    battles.add_argument(
        "--limit", type=int, default=1, help="maximum number of mismatches to print per battle"
    )
    spells = commands.add_parser("spells", help="list the spells of a ruleset")
    spells.add_argument("ruleset", nargs="?", default="bartle-1", help="ruleset (bartle-1)")
    return parser


class _OneLineParser(argparse.ArgumentParser):
    """Argument parser that reports an error in one line."""

    def error(self, message: str) -> NoReturn:
        raise SystemExit(print_error(message))


def print_error(text: str) -> int:
    print("engine:", *text.split(), file=sys.stderr)  # one line, even for a record with line breaks
    return 2


# Records


def _run_record_command(command: str, path: Path) -> int:
    """Replay, transcribe or verify the record in the file."""
    text, record = _read(path)
    try:
        if command == "transcript":
            print(transcript(record), end="")
        elif command == "verify":
            return _verify(record)
        else:
            print("\n".join(_replay_lines(record)))
    except InvalidData as error:
        raise BadInput(f"{path}, line {line_of(text, error.field)}: {error}") from error
    return 0


def _read(path: Path) -> tuple[str, object]:
    """Return the file's text and its JSON value."""
    try:
        text = path.read_text(encoding="utf-8")
        return text, value_of(text)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or 'cannot be read'}") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise BadInput(f"{path}, line {line}: is not UTF-8 text") from error
    except NotJson as error:
        raise BadInput(f"{path}, line {error.line}: {error}") from error


def _ruleset(id: str) -> Ruleset:
    if id not in RULESETS:
        raise BadInput(f"ruleset: unknown ruleset {id!r}; known rulesets: {', '.join(RULESETS)}")
    return RULESETS[id]


def _spell_lines(rules: Ruleset) -> list[str]:
    lines = [f"{rules.id}: {rules.description}"]
    for completable in rules.completables:
        once = " (once per battle)" if completable.once else ""
        spell = completable.spell
        lines.append(f"{completable.pattern:<10}{spell.name}{once}, {spell.class_.value}")
    return lines


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
    except RecordMismatch as fault:
        print(fault)
        print("does not hold")
        return 1
    for line in found.lines:
        print(f"checked: {line}")
    is_whole = not set(WITHOUT_SEED) & set(found.not_covered)
    chain = "chain" if is_whole else "last links of the chain"
    print(f"checked: {chain}, which ends with {found.chain}")
    print(f"not covered: {', '.join(found.not_covered)}")
    print("holds")
    return 0


# Battles


def _battles(paths: Sequence[Path], limit: int) -> int:
    """Print where each replayed battle differs from its report, and then the totals.

    `limit` is the maximum number of differences printed for one battle.
    """
    told = [_battle(path) for path in paths]
    compared = mismatched = 0
    for each in told:
        found = 0
        for comparison in comparisons(each):
            compared += 1
            if not comparison.agrees:
                found += 1
                if found <= limit:
                    print(_comparison_line(comparison))
        mismatched += found
    turns = sum(len(each.turns) for each in told)
    print(f"battles {len(told)} turns {turns} compared {compared} mismatches {mismatched}")
    return 1 if mismatched else 0


def _battle(path: Path) -> Battle:
    text, value = _read(path)
    try:
        return parse_battle(value)
    except InvalidData as error:
        raise BadInput(f"{path}, line {line_of(text, error.field)}: {error}") from error


def _comparison_line(found: Comparison) -> str:
    turn = f"turn {found.turn} " if found.turn else ""
    told, got = (shorten(as_json(value)) for value in (found.recorded, found.got))
    return f"{found.battle} {turn}{found.field}: expected {told}, got {got}"


# Values on one line


def shorten(value: object) -> str:
    """Return the value as JSON, without its middle if it is long."""
    text = "nothing" if value is NOTHING else json.dumps(value, ensure_ascii=False)
    half = SHOWN // 2 - 1
    return text if len(text) <= SHOWN else f"{text[:half]} … {text[-half:]}"


def run() -> NoReturn:
    """Run the command of this process's arguments, and end the process with its exit code."""
    # A name can contain any character. A terminal that cannot show one gets an escape code instead.
    terminal: object = sys.stdout
    if isinstance(terminal, io.TextIOWrapper):
        cast("io.TextIOWrapper[io.BufferedWriter]", terminal).reconfigure(errors="backslashreplace")
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader closed the pipe early, as `head` does
        sys.stderr.close()
        code = 1
    raise SystemExit(code)
