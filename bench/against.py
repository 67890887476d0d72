"""How many times as fast as at another commit the engine is: `python -m bench.against COMMIT`.

The same duels of two, random and planned, under every ruleset that both have, are played by both
engines: `questions` and `resolve` with every event. With valgrind installed executed instructions
are counted, which no noise can touch; else processes of both alternate, and the shortest times
count. Duels that the other engine does not play by the same orders are left out.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Final

import engine
from bench.planned import planned_duel
from tests.engine.random_duels import Step, random_duel

ROOT: Final = Path(__file__).parent.parent
PLAYER: Final = Path(__file__).parent / "player.py"
DUELS: Final = 40  # of each kind and ruleset
ROUNDS: Final = 5  # of processes, where no instruction can be counted


@dataclass(frozen=True)
class Played:
    """A checkout of the engine, and what plays prepared duels with it."""

    root: Path

    def run(self, *arguments: str, count: bool = False) -> str:
        """What the player prints; with `count`, valgrind's count of its instructions."""
        command = [sys.executable, "-P", str(PLAYER), *arguments]
        if count:
            tool = ["valgrind", "--tool=cachegrind", "--cache-sim=no"]
            command = [*tool, "--cachegrind-out-file=/dev/null", *command]
        env = {**os.environ, "PYTHONPATH": str(self.root), "PYTHONHASHSEED": "0"}
        done = subprocess.run(command, env=env, cwd=self.root, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
        return done.stderr if count else done.stdout

    def plays(self, duels: list[dict[str, Any]]) -> list[str]:
        """For each duel how it ends here, "" where its orders are not legal."""
        with _stored(duels) as path:
            return list(json.loads(self.run("ends", path)))

    def instructions(self, duels: list[dict[str, Any]]) -> int:
        """Executed in playing these duels once, without preparing them."""
        with _stored(duels) as path:
            prepared, played = (
                _counted(self.run("play", path, passes, count=True)) for passes in "01"
            )
        return played - prepared

    def seconds(self, duels: list[dict[str, Any]]) -> float:
        with _stored(duels) as path:
            return float(self.run("play", path, "5"))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.against", description=__doc__)
    parser.add_argument("commit", help="the commit to compare with")
    parser.add_argument("--duels", type=int, default=DUELS, help="of each kind and ruleset")
    parser.add_argument("--ruleset", default="", help="this one alone")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "other"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--detach", "-q", str(tree), options.commit], check=True)
        try:
            for line in compared(Played(ROOT), Played(tree), options.duels, options.ruleset):
                print(line, flush=True)
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)


def compared(here: Played, there: Played, duels: int, alone: str) -> Iterator[str]:
    """A line for each ruleset and kind of duel: how many times as fast the engine is here."""
    known = json.loads(there.run("rulesets"))
    for ruleset in engine.RULESETS:
        if ruleset not in known or alone not in ("", ruleset):
            continue
        for kind, play in (("random", _random), ("planned", _planned)):
            prepared = [stated(ruleset, play(seed, ruleset), seed) for seed in range(duels)]
            here_ends, there_ends = here.plays(prepared), there.plays(prepared)
            same = [
                duel
                for duel, end, other in zip(prepared, here_ends, there_ends, strict=True)
                if end and end == other
            ]
            ratio, unit = _ratio(here, there, same)
            turns = sum(len(duel["turns"]) for duel in same)
            name = ruleset.partition("-")[0]
            yield f"engine_speedup_{kind}_{name} {ratio:.2f} times"
            print(f"  {len(same)} of {duels} duels, {turns} turns, by {unit}", file=sys.stderr)


def _ratio(here: Played, there: Played, duels: list[dict[str, Any]]) -> tuple[float, str]:
    if shutil.which("valgrind"):
        return there.instructions(duels) / here.instructions(duels), "instructions"
    times = [(here.seconds(duels), there.seconds(duels)) for _ in range(ROUNDS)]
    return min(other for _, other in times) / min(own for own, _ in times), "time"


def _random(seed: int, ruleset: str) -> Iterator[Step]:
    return random_duel(random.Random(seed), ruleset=ruleset, idle=True)


def _planned(seed: int, ruleset: str) -> Iterator[Step]:
    return planned_duel(random.Random(seed), ruleset=ruleset)


def stated(ruleset: str, steps: Iterator[Step], seed: int) -> dict[str, Any]:
    """A duel as the player reads it: flat orders and answers by turn, and the seed of its dice."""
    first = next(steps)
    return {
        "ruleset": ruleset,
        "seed": random.Random(seed).randbytes(32).hex(),  # what both kinds of duel draw first
        "names": [wizard.name for wizard in first.position.wizards],
        "turns": [
            {
                "orders": {wizard: engine.fields(own) for wizard, own in step.orders.items()},
                "answers": step.answers,
            }
            for step in chain([first], steps)
        ],
    }


@contextmanager
def _stored(duels: list[dict[str, Any]]) -> Iterator[str]:
    """The path of a file that holds them, for as long as it is needed."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(duels, file)
        file.flush()
        yield file.name


def _counted(printed: str) -> int:
    """The number of instructions in what valgrind prints."""
    line = next(line for line in printed.splitlines() if "I refs:" in line or "I   refs:" in line)
    return int(line.rsplit(":", 1)[1].replace(",", ""))


if __name__ == "__main__":
    main()
