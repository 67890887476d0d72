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

CHECKSUMS_FOLDER = Path(__file__).parent / "checksums"
CROWDED, RANDOM, PLANNED = 400, 60, 30
DUELS_PER_RULESET = CROWDED + RANDOM + PLANNED


def numbered_duel(ruleset: str, number: int) -> Iterator[Step]:
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


def checksums_of_duel(ruleset: str, number: int) -> Iterator[str]:
    """Yield the checksum of each turn of a duel."""
    return map(checksum_of_turn, numbered_duel(ruleset, number))


def checksum_of_turn(step: Step) -> str:
    """Return the checksum of a turn, which is a short hexadecimal number."""
    return f"{crc32(turn_as_text(step).encode()) & 0xFFFFFF:06x}"


def turn_as_text(step: Step) -> str:
    """Return everything in a turn: orders, answers, events, and the position after it."""
    told = {
        "orders": {wizard: engine.play.dump(own) for wizard, own in step.orders.items()},
        "answers": step.answers,
        "events": engine.play.dump(step.events),
        "after": engine.play.dump(step.after),
    }
    return json.dumps(told, sort_keys=True, indent=1)


def stored_checksums(ruleset: str) -> list[list[str]]:
    """Return the stored checksums of the ruleset's duels."""
    return [
        line.split()
        for line in (CHECKSUMS_FOLDER / f"{ruleset}.txt").read_text("utf-8").splitlines()
    ]


def regenerate() -> None:
    """Write all checksums again, from the current engine."""
    CHECKSUMS_FOLDER.mkdir(exist_ok=True)
    for ruleset in engine.play.RULESETS:
        lines = [
            " ".join(checksums_of_duel(ruleset, number)) for number in range(DUELS_PER_RULESET)
        ]
        (CHECKSUMS_FOLDER / f"{ruleset}.txt").write_text(
            "".join(f"{line}\n" for line in lines), "utf-8"
        )


def print_duel(ruleset: str, number: int, turn: int | None = None) -> None:
    """Print all turns of this duel, or only the turn with this number, counted from 1."""
    for count, step in enumerate(numbered_duel(ruleset, number), 1):
        if turn in (None, count):
            print(f"turn {count}\n{turn_as_text(step)}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["regenerate"]:
            regenerate()
        case ["show", ruleset, number]:
            print_duel(ruleset, int(number))
        case ["show", ruleset, number, turn]:
            print_duel(ruleset, int(number), int(turn))
        case _:
            raise SystemExit(__doc__)
