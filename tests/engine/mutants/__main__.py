"""Changes the rules one at a time and says which change no test notices.

    python -m tests.engine.mutants [--only WORD ...] [--sample N] [--list] [--processes N]

Each mutant is tried in a process of its own by the cases, the interaction matrix, the recorded and
the golden duels, then by the other tests of the engine. What survives is printed; the last line is
`mutants N noticed N survived N score N % seconds N`, the exit code 1 if anything survives.
"""

import argparse
import contextlib
import gc
import hashlib
import io
import json
import multiprocessing
import os
import random
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.engine.mutants import code, jury, values
from tests.engine.mutants.equivalent import EQUIVALENT
from tests.engine.mutants.patch import Mutant

TESTS = Path(__file__).parent.parent
ROOT = TESTS.parent.parent
CALLS = ROOT / ".cache" / "mutants.json"
LATER = (
    "resolve",
    "stepwise",
    "numbered",
    "check",
    "sheet",
    "view",
    "sample_games",
    "rulesets",
    "codec",
    "begin",
    "gestures",
    "switches",
    "properties",
    "every_field",
)
PROGRESS = 250

MUTANTS: list[Mutant] = []
TRIALS: list[jury.Trial] = []


def watch(number: int) -> list[str] | None:
    """In a process of its own: what one trial calls, unchanged; None if it fails."""
    return jury.calls_of(TRIALS[number])


def try_one(number: int) -> tuple[int, str]:
    """In a process of its own: what notices one mutant."""
    return number, jury.verdict(MUTANTS[number], TRIALS) or later_tests()


def later_tests() -> str:
    """The other tests of the engine; the mutant is in force in this process."""
    files = [TESTS / f"test_{name}.py" for name in LATER]
    arguments = [str(file) for file in files if file.exists()]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        result = pytest.main(
            ["-x", "-q", "-p", "no:randomly", "-p", "no:cacheprovider", *arguments]
        )
    return "" if result == pytest.ExitCode.OK else "another test of the engine"


def watched_trials(processes: int) -> list[jury.Trial]:
    """The trials that hold without any mutant, with what each of them calls.

    That takes minutes, so it is kept until a file of the engine or of its tests changes.
    """
    calls = kept_calls()
    if not calls:
        with multiprocessing.get_context("fork").Pool(processes) as pool:
            calls = pool.map(watch, range(len(TRIALS)), chunksize=50)
        keep_calls(calls)
    return [
        replace(trial, calls=frozenset(seen))
        for trial, seen in zip(TRIALS, calls, strict=True)
        if seen is not None
    ]


def kept_calls() -> list[list[str] | None]:
    """What the trials called last time; nothing if any file has changed since."""
    if not CALLS.exists():
        return []
    kept = json.loads(CALLS.read_text("utf-8"))
    if kept["key"] != fingerprint():
        return []
    names: list[str] = kept["names"]
    return [None if seen is None else [names[n] for n in seen] for seen in kept["calls"]]


def keep_calls(calls: Sequence[list[str] | None]) -> None:
    names = sorted({name for seen in calls for name in seen or ()})
    number = {name: n for n, name in enumerate(names)}
    rows = [None if seen is None else [number[name] for name in seen] for seen in calls]
    CALLS.parent.mkdir(exist_ok=True)
    CALLS.write_text(json.dumps({"key": fingerprint(), "names": names, "calls": rows}), "utf-8")


def fingerprint() -> str:
    """Another one wherever the engine, its tests or this is another."""
    files = [*(ROOT / "engine").rglob("*.py"), *TESTS.rglob("*.py"), *TESTS.rglob("*.case")]
    files += [*TESTS.glob("matrix/*.txt"), *TESTS.glob("golden/*.*"), *TESTS.glob("battles/*")]
    files += [*TESTS.glob("sample_games/*.json"), jury.RECORDED]
    return hashlib.sha256(b"".join(file.read_bytes() for file in sorted(files))).hexdigest()


def run(processes: int) -> list[Mutant]:
    """Tries all mutants; those that survive."""
    TRIALS[:] = jury.trials()
    count = len(TRIALS)
    TRIALS[:] = watched_trials(processes)
    print(f"{len(MUTANTS)} mutants, {len(TRIALS)} trials", flush=True)
    if len(TRIALS) < count:
        print(f"{count - len(TRIALS)} trials fail as they are, and are not asked", flush=True)
    survivors: list[Mutant] = []
    gc.freeze()  # the processes to come share it as it is
    context = multiprocessing.get_context("fork")
    with context.Pool(processes, maxtasksperchild=1) as pool:
        tried: Iterable[tuple[int, str]] = pool.imap_unordered(try_one, range(len(MUTANTS)))
        for count, (number, noticed) in enumerate(tried, 1):
            if not noticed:
                survivors.append(MUTANTS[number])
                line = f" (line {MUTANTS[number].line})" if MUTANTS[number].line else ""
                print(f"survives: {MUTANTS[number].name}{line}", flush=True)
            if count % PROGRESS == 0:
                print(f"{count} tried", flush=True)
    return survivors


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.engine.mutants")
    parser.add_argument("--only", nargs="*", default=[""], help="those that have it in their name")
    parser.add_argument("--sample", type=int, default=0, help="so many of them, always the same")
    parser.add_argument("--list", action="store_true", help="name them and try none")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(arguments)
    MUTANTS[:] = [
        mutant
        for mutant in (*values.mutants(), *code.mutants())
        if mutant.name not in EQUIVALENT and any(part in mutant.name for part in options.only)
    ]
    if 0 < options.sample < len(MUTANTS):
        MUTANTS[:] = random.Random(options.sample).sample(MUTANTS, options.sample)
    if options.list:
        print("\n".join(mutant.name for mutant in MUTANTS))
        return 0
    started = time.monotonic()
    survivors = run(options.processes)
    noticed = len(MUTANTS) - len(survivors)
    score = 100 * noticed / len(MUTANTS) if MUTANTS else 100.0
    print(
        f"mutants {len(MUTANTS)} noticed {noticed} survived {len(survivors)} "
        f"score {score:.1f} % seconds {time.monotonic() - started:.0f}"
    )
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
