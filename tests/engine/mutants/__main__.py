"""Change the rules one at a time and report the changes that no test notices.

    python -m tests.engine.mutants [--only WORD ...] [--sample N] [--list] [--processes N]
                                   [--trials N] [--resume]

Each mutant runs in a separate process. The trials (cases, the interaction matrix, and stored duels)
run first, then the other tests of the engine. A mutant survives if none of them fails. Survivors
are printed. The last line is `mutants N noticed N survived N score N % seconds N`, and the exit
code is 1 if any mutant survives.

`--trials 500` runs only the 500 likeliest trials and no other tests, which is quick. `--resume`
skips mutants that were noticed before, unless their source has changed since: the function, or the
files with the row, switch, phase or table. The test that noticed a mutant last time runs first, so
trying all of them again takes a few minutes.
"""

import argparse
import gc
import multiprocessing
import os
import random
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tests.engine.mutants import code, other_tests, result_store, rule_trials, values
from tests.engine.mutants.equivalent import REASON_BY_EQUIVALENT_MUTANT
from tests.engine.mutants.patch import Mutant, record_places

TRIALS_PER_REPORT = 250
LIKELY_TRIALS = 300
FAILED_TRIAL = -1

MUTANTS: list[Mutant] = []
TRIALS: list[rule_trials.Trial] = []
OTHER_TESTS: dict[str, int] = {}
EARLIER_RESULTS: dict[str, result_store.MutantResult] = {}


def places_reached_by_trial(number: int) -> int:
    """Return the places that one trial reaches without a mutant, in a separate process."""
    try:
        with record_places() as seen:
            TRIALS[number].run()
    except Exception:
        return FAILED_TRIAL
    return seen()


def try_mutant(task: tuple[int, int]) -> tuple[int, str]:
    """Return the mutant's number and the test that noticed it.

    `task` is the mutant's number and the maximum number of trials to run (all if 0).

    This runs in a separate process. The test that noticed the mutant before comes first, then the
    likeliest trials, the other tests that reach its place, and the remaining trials.
    """
    number, most_trials = task
    mutant = MUTANTS[number]
    before = EARLIER_RESULTS[mutant.name].by if mutant.name in EARLIER_RESULTS else ""
    chosen_trials = rule_trials.trials_for_mutant(mutant, TRIALS, before)
    noticed = rule_trials.rejection_reason(mutant) or other_tests.first_failing_test(
        {before} & OTHER_TESTS.keys()
    )
    noticed = noticed or rule_trials.first_failing_trial(
        chosen_trials[: most_trials or LIKELY_TRIALS]
    )
    if not noticed and not most_trials:
        noticed = other_tests.first_failing_at_places(
            OTHER_TESTS, mutant.touches
        ) or rule_trials.first_failing_trial(chosen_trials[LIKELY_TRIALS:])
    return number, noticed


def record_places_reached_by_trials(processes: int) -> None:
    """Record the places that each trial reaches, and drop trials that fail without a mutant.

    This takes minutes, so the places are stored. Only new trials are watched, unless the engine has
    changed.
    """
    TRIALS[:] = rule_trials.load_trials()
    key = result_store.fingerprint(result_store.files_behind_trials())
    places = result_store.stored_places("mutants.trials.gz", key)
    new = [number for number, trial in enumerate(TRIALS) if trial.key not in places]
    if new:
        with multiprocessing.get_context("fork").Pool(processes, code.install_probes) as pool:
            found = pool.map(places_reached_by_trial, new, chunksize=50)
        places |= {TRIALS[number].key: seen for number, seen in zip(new, found, strict=True)}
        result_store.store_places("mutants.trials.gz", key, places)
    count = len(TRIALS)
    TRIALS[:] = [
        replace(trial, places=places[trial.key])
        for trial in TRIALS
        if places[trial.key] != FAILED_TRIAL
    ]
    if len(TRIALS) < count:
        print(f"{count - len(TRIALS)} trials fail without a mutant and are not used", flush=True)


def record_places_reached_by_other_tests() -> None:
    """Load the other tests of the engine and the places that they reach."""
    key = result_store.fingerprint(result_store.files_behind_other_tests())
    places = result_store.stored_places("mutants.other_tests.gz", key)
    if not places:
        with multiprocessing.get_context("fork").Pool(1, code.install_probes) as pool:
            places = pool.apply(other_tests.places_by_test)
        result_store.store_places("mutants.other_tests.gz", key, places)
    OTHER_TESTS.update(places)
    other_tests.load_test_modules()


def try_all_mutants(processes: int, max_trials: int) -> list[Mutant]:
    """Try all mutants and return the survivors."""
    record_places_reached_by_trials(processes)
    if not max_trials:
        record_places_reached_by_other_tests()
    print(
        f"{len(MUTANTS)} mutants, {len(TRIALS)} trials, {len(OTHER_TESTS)} other tests", flush=True
    )
    survivors: list[Mutant] = []
    gc.freeze()  # later processes then share this memory
    with multiprocessing.get_context("fork").Pool(processes, maxtasksperchild=1) as pool:
        asked = [(number, max_trials) for number in range(len(MUTANTS))]
        tried: Iterable[tuple[int, str]] = pool.imap_unordered(try_mutant, asked)
        for count, (number, noticed) in enumerate(tried, 1):
            result_store.store_result(
                MUTANTS[number].name, result_store.MutantResult(noticed, MUTANTS[number].source)
            )
            if not noticed:
                survivors.append(MUTANTS[number])
                line = f" (line {MUTANTS[number].line})" if MUTANTS[number].line else ""
                print(f"survives: {MUTANTS[number].name}{line}", flush=True)
            if count % TRIALS_PER_REPORT == 0:
                print(f"{count} tried", flush=True)
    return survivors


def was_noticed_before(mutant: Mutant) -> bool:
    """Return whether a test noticed the mutant before, and its source has not changed since."""
    before = EARLIER_RESULTS.get(mutant.name)
    return before is not None and bool(before.by) and before.source == mutant.source


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.engine.mutants")
    parser.add_argument(
        "--only", nargs="*", default=[""], help="only names with one of these words"
    )
    parser.add_argument(
        "--sample", type=int, default=0, help="number of mutants, always the same ones"
    )
    parser.add_argument("--list", action="store_true", help="list the mutants without trying them")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--trials", type=int, default=0, help="number of trials for each mutant, likeliest first"
    )
    parser.add_argument(
        "--resume", action="store_true", help="skip mutants that were noticed before"
    )
    options = parser.parse_args(arguments)
    there = {mutant.name: mutant for mutant in (*values.value_mutants(), *code.code_mutants())}
    chosen = [
        mutant
        for mutant in there.values()
        if mutant.name not in REASON_BY_EQUIVALENT_MUTANT
        and any(part in mutant.name for part in options.only)
    ]
    if 0 < options.sample < len(chosen):
        chosen = random.Random(options.sample).sample(chosen, options.sample)
    if options.list:
        print("\n".join(mutant.name for mutant in chosen))
        return 0
    started = time.monotonic()
    EARLIER_RESULTS.update(
        {name: found for name, found in result_store.stored_results().items() if name in there}
    )
    result_store.replace_results(EARLIER_RESULTS)
    MUTANTS[:] = [
        mutant for mutant in chosen if not (options.resume and was_noticed_before(mutant))
    ]
    survivors = try_all_mutants(options.processes, options.trials)
    noticed = len(chosen) - len(survivors)
    score = 100 * noticed / len(chosen) if chosen else 100.0
    print(
        f"mutants {len(chosen)} noticed {noticed} survived {len(survivors)} "
        f"score {score:.1f} % seconds {time.monotonic() - started:.0f}"
    )
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
