"""How well and how fast the practice opponent plays: `python -m bench.practice [DUELS] [SEED]`.

Every pairing is played half from either seat. A draw, or a duel without a winner after 200 turns,
counts as not won. The same seed gives the same duels.
"""

import sys
from collections import Counter
from dataclasses import dataclass, field
from statistics import median

import engine
from duels import practice
from tests.opponents import Chance, Opponent, Shortest, duel

DUELS = 400
SEED = 1
RIVALS: dict[str, type[Opponent]] = {"random": Chance, "shortest": Shortest}


@dataclass(slots=True)
class Tally:
    """What came of some duels."""

    ended: Counter[str] = field(default_factory=Counter[str])
    turns: list[int] = field(default_factory=list[int])
    seconds: list[float] = field(default_factory=list[float])


def contest(ruleset: str, rival: Opponent, duels: int, seed: int) -> Tally:
    """The practice opponent against this rival, seats swapped after every duel."""
    tally = Tally()
    for number in range(duels):
        own = f"w{number % 2}"
        players = (practice, rival) if own == "w0" else (rival, practice)
        played = duel(ruleset, players, seed * 1_000_000 + number)
        ended = {own: "won", "": "unfinished", "draw": "drawn"}.get(played.outcome, "lost")
        tally.ended[ended] += 1
        tally.turns.append(len(played.turns))
        tally.seconds += played.seconds[own]
    return tally


def main(duels: int = DUELS, seed: int = SEED) -> None:
    print(f"practice_seed {seed}")
    for ruleset in engine.RULESETS:
        suffix = "" if ruleset == "bartle-1" else f"_{ruleset.partition('-')[0]}"
        seconds: list[float] = []
        for name, rival in RIVALS.items():
            tally = contest(ruleset, rival(), duels, seed)
            seconds += tally.seconds
            ended = tally.ended
            print(
                f"practice_vs_{name}{suffix}_won {ended['won']} of {duels}"
                f" (lost {ended['lost']}, drawn {ended['drawn']},"
                f" unfinished {ended['unfinished']}; median {median(tally.turns):g} turns)",
                flush=True,
            )
        print(
            f"practice{suffix}_ms_per_move {median(seconds) * 1e3:.2f} median,"
            f" {max(seconds) * 1e3:.2f} max",
            flush=True,
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
