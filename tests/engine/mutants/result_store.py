"""Data stored in `.cache` between runs: the places that trials reach, and results of mutants.

The result for a mutant is used until its function, or the files with its row, phase or table,
change. A change to other parts of the engine can make a stored result wrong. A run without
`--resume` tries every mutant again.
"""

import gzip
import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.engine.mutants import rule_trials
from tests.engine.mutants.other_tests import TEST_FILES

TESTS_FOLDER = Path(__file__).parent.parent
ROOT = TESTS_FOLDER.parent.parent
CACHE_FOLDER = ROOT / ".cache"
RESULTS_FILE = CACHE_FOLDER / "mutants.tried"
TRIAL_DATA_FOLDERS = ("matrix", "golden", "battles", "sample_games", "checksums")
MUTANT_MODULES = [
    Path(__file__).with_name(f"{name}.py") for name in ("code", "patch", "probes", "rule_trials")
]


def engine_files() -> list[Path]:
    return sorted((ROOT / "engine").rglob("*.py"))


def files_behind_trials() -> list[Path]:
    """Return the files that determine a trial's places, in addition to its own text."""
    helpers = [file for file in TESTS_FOLDER.glob("*.py") if not file.name.startswith("test_")]
    played = [file for name in TRIAL_DATA_FOLDERS for file in TESTS_FOLDER.glob(f"{name}/*.*")]
    return [*engine_files(), *helpers, *played, *MUTANT_MODULES, rule_trials.RECORDED_DUELS_FILE]


def files_behind_other_tests() -> list[Path]:
    return [*engine_files(), *MUTANT_MODULES, *TEST_FILES]


def fingerprint(files: Iterable[Path]) -> str:
    """Return a hash that changes if any of the files changes."""
    return hashlib.sha256(b"".join(file.read_bytes() for file in sorted(files))).hexdigest()


def stored_places(name: str, key: str) -> dict[str, int]:
    """Return the places stored under this name, or an empty dictionary if the key differs."""
    file = CACHE_FOLDER / name
    if not file.exists():
        return {}
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        if next(lines).strip() != key:
            return {}
        return {told: int(number, 16) for told, number in map(json.loads, lines)}


def store_places(name: str, key: str, found: Mapping[str, int]) -> None:
    CACHE_FOLDER.mkdir(exist_ok=True)
    with gzip.open(CACHE_FOLDER / name, "wt", encoding="utf-8", compresslevel=1) as file:
        file.write(f"{key}\n")
        file.writelines(f"{json.dumps([told, f'{seen:x}'])}\n" for told, seen in found.items())


class MutantResult(NamedTuple):
    """The test that noticed a mutant, or "", and the fingerprint of its source at that time."""

    by: str
    source: str


def stored_results() -> dict[str, MutantResult]:
    """Return the last result of each mutant, by name."""
    if not RESULTS_FILE.exists():
        return {}
    lines = map(json.loads, RESULTS_FILE.read_text("utf-8").splitlines())
    return {mutant: MutantResult(by, source) for mutant, by, source in lines}


def replace_results(known: Mapping[str, MutantResult]) -> None:
    """Replace all stored results with these."""
    CACHE_FOLDER.mkdir(exist_ok=True)
    RESULTS_FILE.write_text("", "utf-8")
    for mutant, found in known.items():
        store_result(mutant, found)


def store_result(mutant: str, found: MutantResult) -> None:
    with RESULTS_FILE.open("a", encoding="utf-8") as file:
        file.write(f"{json.dumps([mutant, *found])}\n")
