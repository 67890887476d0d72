"""Plays prepared duels with whatever engine stands in the path: `bench.against` runs it as a script
with the engine of each commit, so it uses only what every engine has."""

import gc
import json
import sys
import time
from pathlib import Path
from typing import Any

import engine


def main(what: str, path: str = "", passes: str = "0") -> None:
    """`rulesets`, `ends FILE` or `play FILE PASSES`: JSON, or seconds of the shortest pass."""
    if what == "rulesets":
        print(json.dumps(list(engine.RULESETS)))
        return
    duels: list[dict[str, Any]] = json.loads(Path(path).read_text())
    if what == "ends":
        print(json.dumps([end_of(duel) for duel in duels]))
        return
    steps = [step for duel in duels for step in steps_of(duel)]
    gc.collect()
    gc.freeze()
    gc.disable()
    times = [timed(steps) for _ in range(int(passes))]
    print(min(times, default=0))


def steps_of(duel: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Positions, orders, answers and dice of every turn, as this engine has them."""
    position = engine.begin(duel["ruleset"], [engine.Duellist(name) for name in duel["names"]])
    dice = engine.Dice(bytes.fromhex(duel["seed"]))
    steps: list[tuple[Any, ...]] = []
    for turn in duel["turns"]:
        orders = {wizard: engine.from_fields(flat) for wizard, flat in turn["orders"].items()}
        steps.append((position, orders, turn["answers"], dice))
        position, _ = engine.resolve(position, orders, turn["answers"], dice)
    return steps


def end_of(duel: dict[str, Any]) -> str:
    """Damage of all at the end, and who has won; "" where the orders are not legal here."""
    try:
        steps = steps_of(duel)
        position, _ = engine.resolve(*steps[-1])  # every duel has a turn
    except ValueError:
        return ""
    wounds = [wizard.damage for wizard in position.wizards]
    wounds += [monster.damage for monster in position.monsters]
    return " ".join(map(str, (position.turn, position.outcome, *wounds)))


def timed(steps: list[tuple[Any, ...]]) -> float:
    started = time.process_time()
    for position, orders, answers, dice in steps:
        engine.questions(position, orders, answers, dice)
        engine.resolve(position, orders, answers, dice)
    return time.process_time() - started


if __name__ == "__main__":
    main(*sys.argv[1:])
