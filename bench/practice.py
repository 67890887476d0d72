"""The strength and speed of the practice opponent: `python -m bench.practice [DUELS] [SEED]`.

The opponents swap seats after every duel. A draw, or a duel without a winner after 200 turns,
counts as not won. The same seed gives the same duels.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import median

import engine.play
from bench.output import Figure, print_figure
from duels import practice
from tests.opponents import NearestSpellPlayer, Opponent, RandomPlayer, play_duel

DUELS_PER_RIVAL = 400
SEED = 1
RIVALS: dict[str, type[Opponent]] = {"random": RandomPlayer, "shortest": NearestSpellPlayer}


@dataclass(slots=True)
class Tally:
    """Results of a series of duels, from the practice opponent's point of view."""

    ended: Counter[str] = field(default_factory=Counter[str])
    turns: list[int] = field(default_factory=list[int])
    seconds: list[float] = field(default_factory=list[float])


def play_contest(ruleset: str, rival: Opponent, duels: int, seed: int) -> Tally:
    """Play the practice opponent against this rival, swapping seats after every duel."""
    tally = Tally()
    for number in range(duels):
        own = f"w{number % 2}"
        players = (practice, rival) if own == "w0" else (rival, practice)
        played = play_duel(ruleset, players, seed * 1_000_000 + number)
        ended = {own: "won", "": "unfinished", "draw": "drawn"}.get(played.outcome, "lost")
        tally.ended[ended] += 1
        tally.turns.append(len(played.turns))
        tally.seconds += played.seconds[own]
    return tally


def figures(duels: int, seed: int) -> Iterator[Figure]:
    """Yield all benchmark results for every ruleset."""
    for ruleset in engine.play.RULESETS:
        suffix = "" if ruleset == "bartle-1" else f"_{ruleset.partition('-')[0]}"
        seconds: list[float] = []
        for name, rival in RIVALS.items():
            tally = play_contest(ruleset, rival(), duels, seed)
            seconds += tally.seconds
            against = f"practice_vs_{name}{suffix}"
            for end in ("won", "lost", "drawn", "unfinished"):
                yield f"{against}_{end}", tally.ended[end], "duels"
            yield f"{against}_turns", median(tally.turns), "turns"
        yield f"practice{suffix}_ms_per_move", median(seconds) * 1e3, "ms"
        yield f"practice{suffix}_ms_per_move_max", max(seconds) * 1e3, "ms"


def main(duels: int = DUELS_PER_RIVAL, seed: int = SEED) -> None:
    print(f"{duels} duels against each rival, seed {seed}", file=sys.stderr)
    for figure in figures(duels, seed):
        print_figure(*figure)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
