"""Notes for players who come from RavenBlack's Warlocks: how this site reads unclear rules."""

from dataclasses import dataclass
from typing import Final

RULESET: Final = "warlocks-1"


@dataclass(frozen=True)
class Reading:
    """A point on which nothing is known for certain, how it is played here, and its rule."""

    point: str
    here: str
    rule: str


READINGS: Final = (
    Reading(
        "A wizard with all hit points left is cured and hurt in one turn",
        "The cure works first, up to sixteen; then the damage: fifteen, Cure Heavy Wounds and a "
        "Cause Heavy Wounds make thirteen.",
        "W4",
    ),
    Reading("Remove Enchantment, nobody named", "It goes at the opponent.", "W3"),
    Reading(
        "A time-stopped and a hasted turn are both due",
        "The time-stopped one comes first, then the hasted one, then a normal turn.",
        "W12",
    ),
    Reading("A paralysis for which no hand is named", "It holds the left hand.", "W18"),
    Reading(
        "Disease or Poison cast again while one runs",
        "The earlier death stands.",
        "R92",
    ),
    Reading(
        "Whom a confused monster may draw",
        "Every living being but itself, monsters of this turn among them.",
        "R83",
    ),
    Reading(
        "Monsters whose wizard is out",
        "They go on attacking the victim that they have.",
        "W39",
    ),
    Reading(
        "A hasted monster that others have beaten before the second attacks",
        "It does not make its second attack.",
        "W42",
    ),
    Reading(
        "Heat and cold of three kinds in one turn",
        "Elementals meet first, then storms, then what is left of both.",
        "W44",
    ),
    Reading(
        "A draw among several wizards",
        "It is shared by those who were still in when the turn began.",
        "R113",
    ),
    Reading(
        "What the blind are told of others’ spells",
        "What they do, and not that they were cast.",
        "W33",
    ),
    Reading(
        "Blindness or Invisibility that a Dispel Magic ends in this very turn",
        "Sight is judged as the turn begins: whatever misses, misses.",
        "W33",
    ),
    Reading(
        "A mark for a delay and one for a permanency on the same hand",
        "The spell is banked, and the permanency stays open.",
        "W35",
    ),
    Reading(
        "Time Stop and Haste on one monster",
        "It strikes with the others, then a second time with the hasted, then once more.",
        "W13",
    ),
    Reading(
        "A permanent Confusion",
        "It is drawn anew in every turn, as a permanent Charm Person is written anew.",
        "W26",
    ),
    Reading(
        "What runs out on monsters, over a hasted turn",
        "Their clocks are stopped in it like everybody’s.",
        "W11",
    ),
)
