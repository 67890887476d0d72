"""Play prepared duels with the first engine on the import path.

`bench.against` runs this script with the engine of each commit, so it uses only functions that
exist in every one of them, and modules of the bench that do not import an engine. FILE is JSON with
named lists of duels.
"""

import gc
import json
import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from bench import forks
from bench.timing import fastest_pass_seconds

try:
    play = import_module("engine.play")
    from_fields = import_module("engine.orders").from_fields
except ModuleNotFoundError:  # an engine that does not have public modules yet
    play = import_module("engine")
    from_fields = play.from_fields

Steps = list[tuple[Any, ...]]


def run_command(command: str, path: str = "", passes: str = "1") -> None:
    """Run a command: `rulesets`, `ends FILE`, `times FILE PASSES` (as JSON) or `count FILE`."""
    if command == "rulesets":
        print(json.dumps(list(play.RULESETS)))
        return
    groups: dict[str, list[dict[str, Any]]] = json.loads(Path(path).read_text())
    if command == "ends":
        ends = {name: [outcome_of(duel) for duel in duels] for name, duels in groups.items()}
        print(json.dumps(ends))
        return
    prepared = {
        name: [step for duel in duels for step in prepare_steps(duel)]
        for name, duels in groups.items()
    }
    gc.collect()
    gc.freeze()
    gc.disable()
    if command == "times":
        times = {
            name: fastest_pass_seconds(partial(play_steps, steps), int(passes))
            for name, steps in prepared.items()
        }
        print(json.dumps(times))
        return
    for name, steps in prepared.items():
        forks.run_in_counted_processes(name, partial(play_steps, steps))


def prepare_steps(duel: dict[str, Any]) -> Steps:
    """Return the position, orders, answers and dice of every turn, as objects of this engine."""
    position = play.begin(duel["ruleset"], [play.Duellist(name) for name in duel["names"]])
    dice = play.Dice(bytes.fromhex(duel["seed"]))
    steps: Steps = []
    for turn in duel["turns"]:
        orders = {wizard: from_fields(flat) for wizard, flat in turn["orders"].items()}
        steps.append((position, orders, turn["answers"], dice))
        position, _ = play.resolve(position, orders, turn["answers"], dice)
    return steps


def outcome_of(duel: dict[str, Any]) -> str:
    """Return the last turn, the outcome and all damage, or "" if this engine rejects the orders."""
    try:
        steps = prepare_steps(duel)
        position, _ = play.resolve(*steps[-1])  # every duel has a turn
    except ValueError:
        return ""
    wounds = [wizard.damage for wizard in position.wizards]
    wounds += [monster.damage for monster in position.monsters]
    return " ".join(map(str, (position.turn, position.outcome, *wounds)))


def play_steps(steps: Steps) -> None:
    for position, orders, answers, dice in steps:
        play.questions(position, orders, answers, dice)
        play.resolve(position, orders, answers, dice)


if __name__ == "__main__":
    run_command(*sys.argv[1:])
