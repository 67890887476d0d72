"""Compare the engine with duels that another program recorded: `python -m tests.vectors FILE...`.

README.md in this folder describes the files. If the input is invalid, the program exits with code 2
and prints one line on stderr with the file, the line and the reason.
"""

import argparse
import gzip
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.cli.battles import shorten
from engine.cli.input import BadInput
from engine.cli.main import print_error
from engine.json_values import InvalidData
from engine.proof.source import NotJson, parse_json_text
from tests.vectors import Mismatch, Recording, mismatches, parse_recording


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare the engine with the files. Return 0, 1 if a value differs, or 2 for bad input."""
    parser = argparse.ArgumentParser(prog="python -m tests.vectors", description=__doc__)
    parser.add_argument("files", nargs="+", metavar="file", help="gzip, one JSON object per line")
    parser.add_argument("--limit", type=int, help="maximum number of mismatches to print")
    options = parser.parse_args(arguments)
    try:
        return _compare_files([Path(file) for file in options.files], options.limit)
    except BadInput as error:
        return print_error(str(error))


def _compare_files(paths: Sequence[Path], limit: int | None) -> int:
    """Print the values that differ from the recordings, at most `limit`, and then the totals."""
    duels = phases = found = 0
    for path in paths:
        for duel in _read_duels(path):
            duels += 1
            phases += len(duel.phases)
            for mismatch in mismatches(duel):
                found += 1
                if limit is None or found <= limit:
                    print(_mismatch_line(mismatch))
    print(f"duels {duels} phases {phases} mismatches {found}")
    return 1 if found else 0


def _read_duels(path: Path) -> Iterator[Recording]:
    """Read the whole file, and then yield its duels."""
    lines = _read_lines(path)
    for number, line in enumerate(lines, 1):
        place = f"{path}, line {number}"
        try:
            yield parse_recording(parse_json_text(line.decode("utf-8")))
        except UnicodeDecodeError as error:
            raise BadInput(f"{place}: is not UTF-8 text") from error
        except (NotJson, InvalidData) as error:
            raise BadInput(f"{place}: {error}") from error


def _read_lines(path: Path) -> list[bytes]:
    lines: list[bytes] = []
    try:
        with gzip.open(path) as file:
            lines.extend(file)
    except gzip.BadGzipFile as error:
        raise BadInput(f"{path}, line {len(lines) + 1}: is not gzip ({error})") from error
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or 'cannot be read'}") from error
    except EOFError as error:
        raise BadInput(f"{path}, line {len(lines) + 1}: is truncated") from error
    except zlib.error as error:
        raise BadInput(f"{path}, line {len(lines) + 1}: is damaged ({error})") from error
    if not lines:
        raise BadInput(f"{path}, line 1: does not contain a duel")
    return lines


def _mismatch_line(mismatch: Mismatch) -> str:
    place = f"{mismatch.duel} phase {mismatch.phase} {mismatch.field}"
    return f"{place}: expected {shorten(mismatch.expected)}, got {shorten(mismatch.got)}"


if __name__ == "__main__":
    raise SystemExit(main())
