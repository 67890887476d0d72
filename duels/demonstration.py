"""The sample duel printed in Bartle's rules, as orders: Black against White, 22 turns. And a few
short rated duels.

Black is `w0` and White `w1`; the record is in `duels/games/`.
"""

from dataclasses import dataclass
from typing import Final

from duels.games import sample_games

Fields = dict[str, str]

_RECORD: Final = sample_games()["black-and-white"].record
BLACK, WHITE = (wizard["name"] for wizard in _RECORD["wizards"])

# Turn 10: Black is confused. The dice show 5, which means the right hand, and 1, which means C.
# Each draw is the die less one.
DRAWS: Final[dict[str, int]] = _RECORD["dice"]["draws"]
# The damage of Black and White after each turn, as printed.
DAMAGE: Final[tuple[tuple[int, int], ...]] = tuple(
    (turn["damage"]["w0"], turn["damage"]["w1"]) for turn in _RECORD["turns"]
)
SAMPLE_DUEL: Final[tuple[tuple[Fields, Fields], ...]] = tuple(
    (turn["orders"]["w0"], turn["orders"]["w1"]) for turn in _RECORD["turns"]
)


@dataclass(frozen=True)
class RatedDuel:
    """A rated duel: gestures of each wizard's left and right hand, and how it ends."""

    one: str
    other: str
    days_ago: int
    gestures: tuple[tuple[str, str], tuple[str, str]]
    end: str = ""  # after these gestures: "resign" by the other wizard, "draw", or already over


GRIZELDA, OSWIN = "Grizelda", "Oswin"
RATED_DUELS: Final = (
    RatedDuel(WHITE, OSWIN, 20, (("WFP", "---"), ("SWD", "---")), "resign"),
    RatedDuel(BLACK, OSWIN, 15, (("SFW", "SD-"), ("PDW", "---")), "resign"),
    RatedDuel(GRIZELDA, OSWIN, 9, (("DSF", "---"), ("DSF", "---")), "draw"),
    RatedDuel(WHITE, GRIZELDA, 5, (("PSD", "---"), ("WFP", "---")), "resign"),
    # Missiles strike from both hands until the Finger of Death.
    RatedDuel(GRIZELDA, BLACK, 1, (("PWPFSSSD", "--------"), ("SDSDSDSD", "SDSDSDSD"))),
)
