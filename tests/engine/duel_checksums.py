"""Short checksums of everything in each turn of hundreds of duels.

`checksums/RULESET.txt` has one line for each duel, and is written by

    python -m tests.engine.duel_checksums regenerate

A checksum changes if any order, answer, event or field of a position changes. It reveals effects of
changes that no case covers, but only cases say whether a turn is correct.

    python -m tests.engine.duel_checksums show RULESET NUMBER [TURN]

prints everything in one turn of such a duel, or in all turns if TURN is omitted.
"""

import json
import random
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from zlib import crc32

import engine.play
from bench.planned import planned_duel
from engine.positions.position import SACRIFICE, STRICT
from tests.engine.crowded_duels import crowded_duel
from tests.engine.random_duels import Step, random_duel

FOLDER = Path(__file__).parent / "checksums"
CROWDED, RANDOM, PLANNED = 400, 60, 30
DUELS = CROWDED + RANDOM + PLANNED


def duel(ruleset: str, number: int) -> Iterator[Step]:
    """Return the turns of the duel with this number."""
    chance = random.Random(f"{ruleset}/{number}")
    if number >= CROWDED + RANDOM:
        return islice(planned_duel(chance, ruleset=ruleset), 60)
    rules = engine.play.RULESETS[ruleset]
    house = [STRICT, *([SACRIFICE] if "sacrifice" in rules.spells else []), *rules.options]
    options = tuple(option for option in house if chance.random() < 0.3)
    wizards = chance.choice((2, 2, 3, 4))
    if number < CROWDED:
        return crowded_duel(chance, ruleset=ruleset, wizards=wizards, options=options)
    return random_duel(
        chance,
        wizards=wizards,
        turns=40,
        ruleset=ruleset,
        options=options,
        resigning=0.005,
        surrendering=0.003,
    )


def checksums(ruleset: str, number: int) -> Iterator[str]:
    """Yield the checksum of each turn of a duel."""
    return map(checksum_of, duel(ruleset, number))


def checksum_of(step: Step) -> str:
    """Return the checksum of a turn, which is a short hexadecimal number."""
    return f"{crc32(story(step).encode()) & 0xFFFFFF:06x}"


def story(step: Step) -> str:
    """Return everything in a turn: orders, answers, events, and the position after it."""
    told = {
        "orders": {wizard: engine.play.dump(own) for wizard, own in step.orders.items()},
        "answers": step.answers,
        "events": engine.play.dump(step.events),
        "after": engine.play.dump(step.after),
    }
    return json.dumps(told, sort_keys=True, indent=1)


def recorded_checksums(ruleset: str) -> list[list[str]]:
    """Return the stored checksums of the ruleset's duels."""
    return [line.split() for line in (FOLDER / f"{ruleset}.txt").read_text("utf-8").splitlines()]


def regenerate() -> None:
    """Write all checksums again, from the current engine."""
    FOLDER.mkdir(exist_ok=True)
    for ruleset in engine.play.RULESETS:
        lines = [" ".join(checksums(ruleset, number)) for number in range(DUELS)]
        (FOLDER / f"{ruleset}.txt").write_text("".join(f"{line}\n" for line in lines), "utf-8")


def show(ruleset: str, number: int, turn: int | None = None) -> None:
    """Print all turns of this duel, or only the turn with this number, counted from 1."""
    for count, step in enumerate(duel(ruleset, number), 1):
        if turn in (None, count):
            print(f"turn {count}\n{story(step)}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["regenerate"]:
            regenerate()
        case ["show", ruleset, number]:
            show(ruleset, int(number))
        case ["show", ruleset, number, turn]:
            show(ruleset, int(number), int(turn))
        case _:
            raise SystemExit(__doc__)
