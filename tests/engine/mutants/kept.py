"""What is kept in `.cache` from one run to the next: where trials come by, and what they notice.

What was noticed is known for as long as its function is written as it was, or the files that hold
its row, phase or table; whatever else of the engine changes. So what is known may be out of date
where another function makes up for it: a run without `--resume` tries all again.
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
TRIED = CACHE / "mutants.tried"
PLAYED = ("matrix", "golden", "battles", "sample_games", "prints")
MUTANTS = [Path(__file__).with_name(f"{name}.py") for name in ("code", "jury", "patch", "probes")]


def engine_files() -> list[Path]:
    return sorted((ROOT / "engine").rglob("*.py"))


def jury_files() -> list[Path]:
    """What decides by which places a trial comes, besides its own text."""
    helpers = [file for file in TESTS.glob("*.py") if not file.name.startswith("test_")]
    played = [file for name in PLAYED for file in TESTS.glob(f"{name}/*.*")]
    return [*engine_files(), *helpers, *played, *MUTANTS, jury.RECORDED]


def later_files() -> list[Path]:
    return [*engine_files(), *MUTANTS, *map(Path, FILES)]


def fingerprint(files: Iterable[Path]) -> str:
    """Another one wherever one of the files is another."""
    return hashlib.sha256(b"".join(file.read_bytes() for file in sorted(files))).hexdigest()


def places(name: str, key: str) -> dict[str, int]:
    """What was kept under that name; nothing if it was under another key."""
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
    """What noticed a mutant, "" if nothing did; and how that stood which it changes."""

    by: str
    source: str


def tried() -> dict[str, Tried]:
    """What runs have tried, by the names of the mutants; the last time counts."""
    if not TRIED.exists():
        return {}
    lines = map(json.loads, TRIED.read_text("utf-8").splitlines())
    return {mutant: Tried(by, source) for mutant, by, source in lines}


def begin_noting(known: Mapping[str, Tried]) -> None:
    """Only these are noted from now on."""
    CACHE.mkdir(exist_ok=True)
    TRIED.write_text("", "utf-8")
    for mutant, found in known.items():
        note(mutant, found)


def note(mutant: str, found: Tried) -> None:
    with TRIED.open("a", encoding="utf-8") as file:
        file.write(f"{json.dumps([mutant, *found])}\n")
