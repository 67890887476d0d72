"""The speed of the engine compared with another commit: `python -m bench.against COMMIT`.

Both engines play the same two-wizard duels, random and planned, under every ruleset that both
contain. Each turn calls `questions` and `resolve` and creates every event. Duels that end
differently in the other engine are left out.

The engines are compared by time and by executed instructions. To measure time, processes of both
engines alternate, and the shortest time of each engine is used. valgrind counts the instructions.
Other processes cannot affect this count, but fewer instructions do not always mean less time.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

import engine.orders
import engine.play
from bench import valgrind
from bench.planned import planned_duel
from tests.engine.random_duels import Step, random_duel

ROOT: Final = Path(__file__).parent.parent
PLAYER_SCRIPT: Final = str(Path(__file__).parent / "player.py")
DUELS_PER_KIND: Final = 40  # number of duels of each kind and ruleset
PROCESSES_PER_ENGINE: Final = 10  # number of processes for each engine; the engines alternate
PASSES_PER_PROCESS: Final = 5  # number of passes in each process

DuelGroups = Mapping[str, list[dict[str, Any]]]  # prepared duels, by kind and ruleset


@dataclass(frozen=True)
class EngineCheckout:
    """A checkout of the engine that plays prepared duels."""

    root: Path

    def rulesets(self) -> list[str]:
        return list(json.loads(self._run("rulesets")))

    def outcomes(self, groups: DuelGroups) -> dict[str, list[str]]:
        """Return how each duel ends in this engine, or "" if the engine rejects its orders."""
        with _groups_file(groups) as path:
            return dict(json.loads(self._run("ends", path)))

    def seconds(self, path: str) -> dict[str, float]:
        """Return the processor time, in seconds, to play each group of this file once."""
        return dict(json.loads(self._run("times", path, str(PASSES_PER_PROCESS))))

    def instructions(self, path: str) -> dict[str, int]:
        """Return the number of executed instructions to play each group of this file once."""
        return valgrind.instruction_counts(
            PLAYER_SCRIPT, "count", path, env=os.environ, root=self.root
        )

    def _run(self, *arguments: str) -> str:
        command = [sys.executable, "-P", PLAYER_SCRIPT, *arguments]
        env = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(self.root), str(ROOT)]),
            "PYTHONHASHSEED": "0",
        }
        done = subprocess.run(
            command, env=env, cwd=self.root, check=False, capture_output=True, text=True
        )
        if done.returncode:
            raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
        return done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.against", description=__doc__)
    parser.add_argument("commit", help="the commit to compare with")
    parser.add_argument(
        "--duels", type=int, default=DUELS_PER_KIND, help="of each kind and ruleset"
    )
    parser.add_argument(
        "--rounds", type=int, default=PROCESSES_PER_ENGINE, help="of alternating processes"
    )
    parser.add_argument("--ruleset", default="", help="only this one")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        _extract_engine(options.commit, folder)
        here, there = EngineCheckout(ROOT), EngineCheckout(Path(folder))
        rulesets = [name for name in there.rulesets() if options.ruleset in ("", name)]
        groups = same_duels(here, there, options.duels, rulesets)
        for line in speedups(here, there, groups, options.rounds):
            print(line, flush=True)


def _extract_engine(commit: str, folder: str) -> None:
    """Extract the engine of this commit into a folder."""
    command = ["git", "-C", str(ROOT), "archive", commit, "engine"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    # Python 3.11.2, Debian's, has no filter for tarfile.extractall().
    subprocess.run(["tar", "-x", "-C", folder], input=done.stdout, check=True)


def same_duels(
    here: EngineCheckout, there: EngineCheckout, duels: int, rulesets: list[str]
) -> DuelGroups:
    """Return the prepared duels that end the same way in both engines, by kind and ruleset."""
    groups = {
        f"{kind}_{ruleset.partition('-')[0]}": [
            serialised_duel(ruleset, play(random.Random(seed), ruleset=ruleset), seed)
            for seed in range(duels)
        ]
        for ruleset in engine.play.RULESETS
        if ruleset in rulesets
        for kind, play in (("random", partial(random_duel, idle=True)), ("planned", planned_duel))
    }
    ends, others = here.outcomes(groups), there.outcomes(groups)
    same: dict[str, list[dict[str, Any]]] = {}
    for name, prepared in groups.items():
        pairs = zip(prepared, ends[name], others[name], strict=True)
        same[name] = [duel for duel, end, other in pairs if end and end == other]
        turns = sum(len(duel["turns"]) for duel in same[name])
        print(f"{name}: {len(same[name])} of {duels} duels, {turns} turns", file=sys.stderr)
    return {name: duels for name, duels in same.items() if duels}


def speedups(
    here: EngineCheckout, there: EngineCheckout, groups: DuelGroups, rounds: int
) -> Iterator[str]:
    """Yield lines with each group's speed-up: by time and, with valgrind, by instructions."""
    with _groups_file(groups) as path:
        times = [(here.seconds(path), there.seconds(path)) for _ in range(rounds)]
        for name in groups:
            own, other = (min(taken[name] for taken in each) for each in zip(*times, strict=True))
            yield f"engine_speedup_{name} {other / own:.2f} times"
        if not valgrind.is_valgrind_installed():
            print("Install the Debian package valgrind to count instructions.", file=sys.stderr)
            return
        counted, others = here.instructions(path), there.instructions(path)
        for name, count in counted.items():
            yield f"engine_speedup_{name}_by_instructions {others[name] / count:.2f} times"


def serialised_duel(ruleset: str, steps: Iterator[Step], seed: int) -> dict[str, Any]:
    """Return a duel in the form that `bench.player` reads.

    The result contains the orders (as flat fields) and answers of each turn, and the dice's seed.
    """
    first = next(steps)
    return {
        "ruleset": ruleset,
        "seed": random.Random(seed).randbytes(32).hex(),  # drawn first, as in `play`
        "names": [wizard.name for wizard in first.position.wizards],
        "turns": [
            {
                "orders": {
                    wizard: engine.orders.fields(own) for wizard, own in step.orders.items()
                },
                "answers": step.answers,
            }
            for step in chain([first], steps)
        ],
    }


@contextmanager
def _groups_file(groups: DuelGroups) -> Iterator[str]:
    """Yield the path of a temporary file that contains these duels."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(groups, file)
        file.flush()
        yield file.name


if __name__ == "__main__":
    main()
