"""Orders for the demonstration: the sample duel printed in Bartle's rules (Black against White, 22
turns), and a few short rated duels.

Black is `w0` and White is `w1`. The record of the sample duel is in `duels/games/`.
"""

from dataclasses import dataclass
from typing import Final

from duels.games import sample_games

Fields = dict[str, str]

_SAMPLE_RECORD: Final = sample_games()["black-and-white"].record
BLACK, WHITE = (wizard["name"] for wizard in _SAMPLE_RECORD["wizards"])

# On turn 10, Black is confused. The dice show 5 and 1, which mean the right hand and C. Draws are
# one less than the dice.
SAMPLE_DRAWS: Final[dict[str, int]] = _SAMPLE_RECORD["dice"]["draws"]
SAMPLE_DUEL: Final[tuple[tuple[Fields, Fields], ...]] = tuple(
    (turn["orders"]["w0"], turn["orders"]["w1"]) for turn in _SAMPLE_RECORD["turns"]
)


@dataclass(frozen=True)
class RatedDuel:
    """A rated duel: the gestures of each wizard's left and right hand, and how the duel ends."""

    one: str
    other: str
    days_ago: int
    gestures: tuple[tuple[str, str], tuple[str, str]]
    end: str = ""  # "resign" by the other wizard, "draw", or "" if the gestures end the duel


GRIZELDA, OSWIN = "Grizelda", "Oswin"
RATED_DUELS: Final = (
    RatedDuel(WHITE, OSWIN, 20, (("WFP", "---"), ("SWD", "---")), "resign"),
    RatedDuel(BLACK, OSWIN, 15, (("SFW", "SD-"), ("PDW", "---")), "resign"),
    RatedDuel(GRIZELDA, OSWIN, 9, (("DSF", "---"), ("DSF", "---")), "draw"),
    RatedDuel(WHITE, GRIZELDA, 5, (("PSD", "---"), ("WFP", "---")), "resign"),
    # Missiles strike from both hands, until the Finger of Death ends the duel.
    RatedDuel(GRIZELDA, BLACK, 1, (("PWPFSSSD", "--------"), ("SDSDSDSD", "SDSDSDSD"))),
)
