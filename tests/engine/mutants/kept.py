"""Data stored in `.cache` between runs: the places that trials reach, and results of mutants.

The result for a mutant is used until its function, or the files with its row, phase or table,
change. A change of other parts of the engine can make a stored result wrong. A run without
`--resume` tries every mutant again.
"""

import gzip
import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.engine.mutants import jury
from tests.engine.mutants.later import FILES

TESTS = Path(__file__).parent.parent
ROOT = TESTS.parent.parent
CACHE = ROOT / ".cache"
TRIED_FILE = CACHE / "mutants.tried"
PLAYED_FOLDERS = ("matrix", "golden", "battles", "sample_games", "checksums")
MUTANTS = [Path(__file__).with_name(f"{name}.py") for name in ("code", "jury", "patch", "probes")]


def engine_files() -> list[Path]:
    return sorted((ROOT / "engine").rglob("*.py"))


def jury_files() -> list[Path]:
    """Return the files that determine a trial's places, in addition to its own text."""
    helpers = [file for file in TESTS.glob("*.py") if not file.name.startswith("test_")]
    played = [file for name in PLAYED_FOLDERS for file in TESTS.glob(f"{name}/*.*")]
    return [*engine_files(), *helpers, *played, *MUTANTS, jury.RECORDED]


def later_files() -> list[Path]:
    return [*engine_files(), *MUTANTS, *map(Path, FILES)]


def fingerprint(files: Iterable[Path]) -> str:
    """Return a hash that changes if any of the files changes."""
    return hashlib.sha256(b"".join(file.read_bytes() for file in sorted(files))).hexdigest()


def places(name: str, key: str) -> dict[str, int]:
    """Return the places stored under this name, or an empty dictionary if the key differs."""
    file = CACHE / name
    if not file.exists():
        return {}
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        if next(lines).strip() != key:
            return {}
        return {told: int(number, 16) for told, number in map(json.loads, lines)}


def keep_places(name: str, key: str, found: Mapping[str, int]) -> None:
    CACHE.mkdir(exist_ok=True)
    with gzip.open(CACHE / name, "wt", encoding="utf-8", compresslevel=1) as file:
        file.write(f"{key}\n")
        file.writelines(f"{json.dumps([told, f'{seen:x}'])}\n" for told, seen in found.items())


class Tried(NamedTuple):
    """The test that noticed a mutant, or "", and the fingerprint of its source at that time."""

    by: str
    source: str


def last_results() -> dict[str, Tried]:
    """Return the last result of each mutant, by name."""
    if not TRIED_FILE.exists():
        return {}
    lines = map(json.loads, TRIED_FILE.read_text("utf-8").splitlines())
    return {mutant: Tried(by, source) for mutant, by, source in lines}


def begin_noting(known: Mapping[str, Tried]) -> None:
    """Replace all stored results with these."""
    CACHE.mkdir(exist_ok=True)
    TRIED_FILE.write_text("", "utf-8")
    for mutant, found in known.items():
        store_result(mutant, found)


def store_result(mutant: str, found: Tried) -> None:
    with TRIED_FILE.open("a", encoding="utf-8") as file:
        file.write(f"{json.dumps([mutant, *found])}\n")
