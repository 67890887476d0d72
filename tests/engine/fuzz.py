"""Fuzzer that plays random duels of two to eight wizards under all rulesets.

    python -m tests.engine.fuzz [--duels 100000] [--seed 1] [--only NUMBER] [--processes N]

Orders are legal and random, answers are random, and some wizards surrender or resign. `invariants`
must be satisfied after every turn. Each duel is identified by the seed and a number. For a duel
that fails, the fuzzer prints a command that plays only that duel. The last line is `duels N turns N
failures N seed N seconds N`. The exit code is 1 if any duel failed.
"""

import argparse
import itertools
import os
import random
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Final

import engine.play
from engine.positions.position import SACRIFICE, STRICT
from engine.start.begin import MAX_WIZARDS, MIN_WIZARDS
from tests.engine.invariants import replay_and_display_failures, violations
from tests.engine.random_duels import Step, random_duel

DEFAULT_DUEL_COUNT: Final = 100_000
MAX_TURNS: Final = 40
CHECKED_SHARE: Final = 0.02  # share of turns that are also stored, viewed and replayed
BATCH_SIZE: Final = 50

RULESETS: Final = tuple(engine.play.RULESETS)
WIZARD_COUNTS: Final = range(MIN_WIZARDS, MAX_WIZARDS + 1)
RULESETS_AND_WIZARD_COUNTS: Final = tuple(itertools.product(RULESETS, WIZARD_COUNTS))


def numbered_duel(seed: int, number: int) -> Iterator[Step]:
    """Return the turns of a duel. Consecutive numbers cover all rulesets and sizes."""
    chance = random.Random(f"{seed}/{number}")
    ruleset, wizards = RULESETS_AND_WIZARD_COUNTS[number % len(RULESETS_AND_WIZARD_COUNTS)]
    options = [STRICT] if chance.random() < 0.3 else []
    if "sacrifice" in engine.play.RULESETS[ruleset].spells and chance.random() < 0.5:
        options.append(SACRIFICE)
    options += [each for each in engine.play.RULESETS[ruleset].options if chance.random() < 0.5]
    return random_duel(
        chance,
        wizards=wizards,
        turns=MAX_TURNS,
        ruleset=ruleset,
        options=tuple(options),
        resigning=0.005,
        surrendering=0.003,
    )


def play_and_check(seed: int, number: int) -> tuple[int, list[str]]:
    """Play a duel, and return the number of turns and the faults, such as a crash."""
    looking = random.Random(f"{seed}/{number}/looks")
    turns = 0
    try:
        for step in numbered_duel(seed, number):
            turns += 1
            found = list(violations(step))
            if looking.random() < CHECKED_SHARE:
                found += replay_and_display_failures(step)
            if found:
                return turns, found
    except Exception:
        return turns, [traceback.format_exc()]
    return turns, []


def play_batch(seed: int, numbers: Sequence[int]) -> tuple[int, dict[int, list[str]]]:
    """Play these duels, and return the total number of turns and the faults by duel."""
    turns, failed = 0, {}
    for number in numbers:
        played, found = play_and_check(seed, number)
        turns += played
        if found:
            failed[number] = found
    return turns, failed


def run_fuzzer(seed: int, duels: int, processes: int) -> bool:
    """Play all duels, print those that fail, and return whether all passed."""
    started = time.monotonic()
    print(f"seed {seed}, {duels} duels, {processes} processes", flush=True)
    batches = [
        range(first, min(first + BATCH_SIZE, duels)) for first in range(0, duels, BATCH_SIZE)
    ]
    turns = failures = 0
    with ProcessPoolExecutor(processes) as pool:
        for played, failed in pool.map(partial(play_batch, seed), batches):
            turns += played
            failures += len(failed)
            for number, found in failed.items():
                print_failures(seed, number, found)
    seconds = time.monotonic() - started
    print(f"duels {duels} turns {turns} failures {failures} seed {seed} seconds {seconds:.0f}")
    return not failures


def print_failures(seed: int, number: int, found: Sequence[str]) -> None:
    ruleset, wizards = RULESETS_AND_WIZARD_COUNTS[number % len(RULESETS_AND_WIZARD_COUNTS)]
    print(f"python -m tests.engine.fuzz --seed {seed} --only {number}  # {ruleset}, {wizards}")
    for fault in found:
        print("   ", fault.rstrip().replace("\n", "\n    "), flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.engine.fuzz")
    parser.add_argument("--duels", type=int, default=DEFAULT_DUEL_COUNT)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="play only this duel")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(arguments)
    if options.only is None:
        return 0 if run_fuzzer(options.seed, options.duels, options.processes) else 1
    turns, found = play_and_check(options.seed, options.only)
    print_failures(options.seed, options.only, found)
    print(f"turns {turns} failures {int(bool(found))}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
