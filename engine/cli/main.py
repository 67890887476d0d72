"""The parser of the command line, which `python -m engine --help` describes.

After bad input, a command exits with code 2 and prints one line on stderr that names the file, the
line, the place and the reason.
"""

import argparse
import io
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn, cast

from engine import RELEASE
from engine.cli.battles import compare_battles
from engine.cli.input import BadInput, find_ruleset
from engine.cli.records import print_example, run_record_command
from engine.cli.terminal_duel import play_duel
from engine.cli.turns import begin_duel, resolve_turn
from engine.rulesets.ruleset import Ruleset

AddCommand = Callable[..., argparse.ArgumentParser]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code, which is 2 for bad input."""
    options = _build_parser().parse_args(arguments)
    try:
        return _run_command(options)
    except BadInput as error:
        return print_error(str(error))


def _run_command(options: argparse.Namespace) -> int:
    match options.command:
        case "spells":
            print("\n".join(_spell_lines(find_ruleset(options.ruleset))))
            return 0
        case "example":
            return print_example()
        case "battles":
            return compare_battles(options.files, options.limit)
        case "play":
            return play_duel(
                options.ruleset,
                options.names,
                options.option,
                against_nothing=options.against_nothing,
                record=options.record,
            )
        case "begin":
            return begin_duel(options.ruleset, options.names, options.option)
        case "resolve":
            return resolve_turn(options.file)
        case command:
            return run_record_command(command, options.record)


def _build_parser() -> argparse.ArgumentParser:
    parser = _OneLineParser(
        prog="python -m engine",
        description="Play duels, and check and replay recorded ones.",
        epilog="To try it: python -m engine example > duel.json; python -m engine verify duel.json",
    )
    parser.add_argument("--version", action="version", version=f"Spellcaster {RELEASE}")
    add = parser.add_subparsers(dest="command", required=True).add_parser
    _add_duel_commands(add)
    for name, what in (
        ("replay", "replay a record and print the damage after every turn"),
        ("transcript", "print a record's duel as text"),
        ("verify", "check a record and its seals"),
    ):
        add(name, help=what).add_argument("record", help="record file (JSON)")
    battles = add("battles", help="replay recorded Warlocks battles")
    battles.add_argument("files", nargs="+", metavar="file", help="battle document (JSON)")
    battles.add_argument(
        "--limit", type=int, default=1, help="maximum number of mismatches to print per battle"
    )
    add("example", help="print the record of a short duel, to try the other commands with")
    spells = add("spells", help="list the spells of a ruleset")
    spells.add_argument("ruleset", nargs="?", default="bartle", help="ruleset (bartle)")
    return parser


def _add_duel_commands(add: AddCommand) -> None:
    play = add(
        "play", help="play a duel at this terminal", description="Type HELP for help with orders."
    )
    play.add_argument("ruleset", nargs="?", default="bartle", help="ruleset (bartle)")
    play.add_argument("names", nargs="*", metavar="name", help="name of a wizard (White, Black)")
    play.add_argument("--option", action="append", default=[], help="house rule of the duel")
    play.add_argument(
        "--against-nothing", action="store_true", help="play only the first wizard; others are idle"
    )
    play.add_argument("--record", default="", metavar="FILE", help="write the duel's record here")
    begin = add("begin", help="print the first position of a duel (JSON)")
    begin.add_argument("ruleset", help="ruleset, such as bartle or warlocks-1")
    begin.add_argument("names", nargs="+", metavar="name", help="name of a wizard")
    begin.add_argument("--option", action="append", default=[], help="house rule of the duel")
    resolve = add(
        "resolve",
        help="play one turn: position, orders, answers and seed as JSON in, the result as JSON out",
        description="Exit code 0: the turn was played; 1: orders are illegal; 2: the input is bad;"
        " 3: questions are open.",
    )
    resolve.add_argument("file", nargs="?", default="-", help="JSON file (standard input)")


class _OneLineParser(argparse.ArgumentParser):
    """Argument parser that reports an error in one line."""

    def error(self, message: str) -> NoReturn:
        raise SystemExit(print_error(message))


def print_error(text: str) -> int:
    print("engine:", *text.split(), file=sys.stderr)  # one line, even for a record with line breaks
    return 2


def _spell_lines(rules: Ruleset) -> list[str]:
    lines = [f"{rules.id}: {rules.description}"]
    for completable in rules.completables:
        once = " (once per battle)" if completable.once else ""
        spell = completable.spell
        lines.append(f"{completable.pattern:<10}{spell.name}{once}, {spell.class_.value}")
    return lines


def run() -> NoReturn:
    """Run the command in the process's arguments, and exit with the command's exit code."""
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
    except KeyboardInterrupt:
        code = 130
    raise SystemExit(code)
