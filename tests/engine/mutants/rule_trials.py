"""The trials that can notice a mutant: cases, rows of the matrix, and stored duels.

Stored duels are recorded, golden or printed duels, and battles. Each trial first runs without a
mutant, to find out which lines of the engine it reaches. Trials that fail without a mutant are not
used.
"""

import gzip
import json
import random
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any
from zlib import crc32

from engine.battles import parse_battle, replay_and_compare
from engine.rulesets import RULESETS
from tests.engine import battle_writer, duel_checksums, golden_duels, test_matrix
from tests.engine.casebook import Case, read_cases
from tests.engine.mutants.patch import Mutant
from tests.engine.referee import CasePlayer
from tests.vectors import Recording, mismatches, parse_recording

TRIAL_TIMEOUT_SECONDS = 5  # processor time for one trial; more means an endless loop
RECORDED_DUELS_FILE = Path(__file__).parent.parent.parent / "vectors" / "spellcast.jsonl.gz"


@dataclass(frozen=True)
class Trial:
    """One test of the rules, with the places in the engine that it reaches."""

    name: str
    ruleset: str
    text: str
    run: Callable[[], object]
    places: int = 0
    is_wide: bool = False
    """Whether the trial is a whole duel, in which anything can happen."""

    @property
    def key(self) -> str:
        """Key under which the trial's places are stored."""
        return f"{self.name} {self.ruleset} {crc32(self.text.encode()):x}"

    @property
    def trial_name(self) -> str:
        """Name of the trial in the report of a noticed mutant."""
        return f"{self.name} under {self.ruleset}"


def load_trials() -> list[Trial]:
    """Return all trials, shuffled."""
    found = [
        *case_trials(),
        *matrix_trials(),
        *recording_trials(),
        *golden_duel_trials(),
        *battle_trials(),
    ]
    found += duel_checksum_trials()
    random.Random(1).shuffle(found)
    return found


def case_trials() -> Iterator[Trial]:
    for case in read_cases():
        text = "\n".join(entry.text for entry in _lines_of_case(case)).lower()
        for ruleset in case.rulesets:
            yield Trial(f"case {case.name}", ruleset, text, partial(play_case, case, ruleset))


def play_case(case: Case, ruleset: str) -> None:
    CasePlayer(case, ruleset).play_all()


def _lines_of_case(case: Case) -> Iterator[Any]:
    yield case.entry
    yield from case.given
    for block in case.blocks:
        yield from (clause.entry for each in block.clauses.values() for clause in each)
        yield from block.expect
        yield from block.refusals


def matrix_trials() -> Iterator[Trial]:
    for ruleset, scene, spell in test_matrix.SCENES_WITH_SPELLS:
        row = partial(test_matrix.play_with_others, ruleset, scene, spell)
        yield Trial(f"matrix {scene.name} {spell}", ruleset, spell, row)


def recording_trials() -> Iterator[Trial]:
    with gzip.open(RECORDED_DUELS_FILE) as file:
        for line in file:
            row = json.loads(line)
            cast = {
                event["spell"]
                for phase in row["phases"]
                for event in phase["events"]
                if event["e"] == "cast"
            }
            duel = parse_recording(row)
            text = " ".join(sorted(cast))
            yield Trial(f"recording {duel.id}", "spellcast-1", text, partial(check_recording, duel))


def check_recording(duel: Recording) -> None:
    first = next(mismatches(duel), None)
    assert first is None, first


def golden_duel_trials() -> Iterator[Trial]:
    """Yield the golden duels, the only trials that notice changes in reports to each observer."""
    for name, record in golden_duels.golden_records().items():
        told = (golden_duels.GOLDEN_FOLDER / f"{name}.txt").read_text("utf-8")
        yield Trial(
            f"golden {name}", record["ruleset"], "", partial(check_transcript, record, told)
        )


def check_transcript(record: dict[str, Any], expected: str) -> None:
    assert golden_duels.transcript(record) == expected


def battle_trials() -> Iterator[Trial]:
    for path in sorted(battle_writer.BATTLES_FOLDER.glob("*.json")):
        document = json.loads(path.read_text("utf-8"))
        run = partial(check_battle, document)
        yield Trial(f"battle {path.stem}", "warlocks-1", "", run)


def check_battle(document: dict[str, Any]) -> None:
    first = next(
        (one for one in replay_and_compare(parse_battle(document)) if not one.agrees), None
    )
    assert first is None, first


def duel_checksum_trials() -> Iterator[Trial]:
    for ruleset in RULESETS:
        for number, turns in enumerate(duel_checksums.stored_checksums(ruleset)):
            run = partial(check_checksums, ruleset, number, turns)
            yield Trial(f"duel {number}", ruleset, "", run, is_wide=True)


def check_checksums(ruleset: str, number: int, turns: Sequence[str]) -> None:
    assert list(duel_checksums.checksums_of_duel(ruleset, number)) == turns


def trials_for_mutant(mutant: Mutant, all_trials: Sequence[Trial], before: str = "") -> list[Trial]:
    """Return the trials that can notice this mutant, likeliest first.

    The trial that noticed the mutant before comes first. Next come trials that mention the mutant's
    words, alternating with whole duels, and then all others.
    """
    first: list[Trial] = []
    named: list[Trial] = []
    wide: list[Trial] = []
    others: list[Trial] = []
    for trial in all_trials:
        if mutant.rulesets and trial.ruleset not in mutant.rulesets:
            continue
        if mutant.touches and not mutant.touches & trial.places:
            continue
        if trial.trial_name == before:
            first.append(trial)
        elif any(word in trial.text for word in mutant.words):
            named.append(trial)
        else:
            (wide if trial.is_wide else others).append(trial)
    by_turns = chain.from_iterable(zip_longest(named, wide))
    return [*first, *filter(None, by_turns), *others]


def rejection_or_failing_trial(mutant: Mutant, trials: Sequence[Trial]) -> str:
    """Apply the mutant in this process. Return the rejection or the trial that fails, or ""."""
    return rejection_reason(mutant) or first_failing_trial(trials)


def rejection_reason(mutant: Mutant) -> str:
    """Apply the mutant in this process. Return the reason if the engine rejects it, or ""."""
    try:
        mutant.apply()
    except ValueError as error:
        return f"refused: {error!r}"
    return ""


def first_failing_trial(trials: Sequence[Trial]) -> str:
    """Return the first of these trials that fails, or ""."""
    signal.signal(signal.SIGPROF, _raise_timeout)
    for trial in trials:
        signal.setitimer(signal.ITIMER_PROF, TRIAL_TIMEOUT_SECONDS)
        try:
            trial.run()
        except Exception:
            return trial.trial_name
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    return ""


def _raise_timeout(*_: object) -> None:
    raise TimeoutError
