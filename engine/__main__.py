"""The command line: `python -m engine replay|transcript|verify|spells`.

The one module of the engine that reads files and arguments. Bad input ends with exit code 2 and
one line on stderr that names the place and the reason.
"""

import argparse
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn, cast

from engine.position import DRAW, Position
from engine.replay import InvalidRecord, replay, transcript, verify
from engine.rulesets import RULESETS, Ruleset


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0, 1 where something does not hold, 2 for bad input."""
    options = _parser().parse_args(arguments)
    try:
        if options.command == "spells":
            print("\n".join(_spell_lines(_ruleset(options.ruleset))))
            return 0
        record = _read(Path(options.record))
        if options.command == "transcript":
            print(transcript(record), end="")
            return 0
        if options.command == "verify":
            return _report(verify(record))
        print("\n".join(_replay_lines(record)))
        return 0
    except InvalidRecord as error:
        return _refuse(str(error))


def _parser() -> argparse.ArgumentParser:
    parser = _OneLineParser(prog="python -m engine", description=(__doc__ or "").split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    for name, what in (
        ("replay", "play a record again and print the damage after every turn"),
        ("transcript", "tell a record's duel as text"),
        ("verify", "check a record and its seals"),
    ):
        commands.add_parser(name, help=what).add_argument("record", help="a record file (JSON)")
    spells = commands.add_parser("spells", help="list the spells of a ruleset")
    spells.add_argument("ruleset", nargs="?", default="bartle-1")
    return parser


class _OneLineParser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        raise SystemExit(_refuse(message))


def _refuse(text: str) -> int:
    print("engine:", *text.split(), file=sys.stderr)  # one line, whatever the record holds
    return 2


def _read(path: Path) -> object:
    try:
        record: object = json.loads(path.read_text(encoding="utf-8"))
        json.dumps(record, ensure_ascii=False).encode()
        return record
    except OSError as error:
        raise InvalidRecord(str(path), error.strerror or "cannot be read") from error
    except UnicodeDecodeError as error:
        raise InvalidRecord(str(path), "is not UTF-8 text") from error
    except UnicodeEncodeError as error:
        raise InvalidRecord(str(path), "holds half a character, which is no text") from error
    except json.JSONDecodeError as error:
        place = f"{path}, line {error.lineno}"
        raise InvalidRecord(place, f"is not JSON ({error.msg})") from error
    except ValueError as error:
        raise InvalidRecord(str(path), f"is not JSON ({error})") from error
    except RecursionError as error:
        raise InvalidRecord(str(path), "is nested too deeply") from error


def _ruleset(id: str) -> Ruleset:
    if id not in RULESETS:
        raise InvalidRecord("ruleset", f"unknown ruleset {id!r}; there are {', '.join(RULESETS)}")
    return RULESETS[id]


def _spell_lines(rules: Ruleset) -> list[str]:
    lines = [f"{rules.id}: {rules.description}"]
    for completable in rules.completables:
        once = " (once a battle)" if completable.once else ""
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
    return [*lines, f"result: {_result(history.position)}"]


def _result(position: Position) -> str:
    if not position.outcome:
        return "unfinished"
    if position.outcome == DRAW:
        return "draw"
    return f"{position.wizard(position.outcome).name} wins"


def _report(faults: Sequence[str]) -> int:
    for fault in faults:
        print(fault)
    print("holds" if not faults else f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    # A name may hold any letters: a terminal that cannot show one gets its number.
    terminal: object = sys.stdout
    if isinstance(terminal, io.TextIOWrapper):
        cast("io.TextIOWrapper[io.BufferedWriter]", terminal).reconfigure(errors="backslashreplace")
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read this has read enough
        sys.stderr.close()
        code = 1
    raise SystemExit(code)
