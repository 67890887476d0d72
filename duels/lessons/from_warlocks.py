"""Notes for players of RavenBlack's Warlocks on how this site interprets unclear rules."""

from dataclasses import dataclass
from typing import Final

RULESET: Final = "warlocks-1"


@dataclass(frozen=True)
class Reading:
    """An unclear point in the rules of Warlocks, how this site plays it, and its rule here."""

    point: str
    here: str
    rule: str


READINGS: Final = (
    Reading(
        "A wizard with full hit points is cured and hurt in the same turn",
        "The cure works first, up to sixteen, and then the damage. From fifteen, Cure Heavy "
        "Wounds and Cause Heavy Wounds leave thirteen.",
        "W4",
    ),
    Reading("Remove Enchantment without a target", "The spell is cast at the opponent.", "W3"),
    Reading(
        "A time-stopped turn and a hasted turn are both due",
        "The order is: time-stopped, hasted, normal.",
        "W12",
    ),
    Reading("Paralysis without a named hand", "The spell paralyses the left hand.", "W18"),
    Reading(
        "Disease or Poison cast on a wizard who already has it",
        "The wizard still dies on the earlier of the two turns.",
        "R92",
    ),
    Reading(
        "Possible victims of a confused monster",
        "Every living being except itself, including monsters summoned this turn.",
        "R83",
    ),
    Reading(
        "Monsters whose wizard is out of the duel",
        "They keep attacking their current victim.",
        "W39",
    ),
    Reading(
        "A hasted monster killed before its second attack",
        "The monster does not make its second attack.",
        "W42",
    ),
    Reading(
        "Three kinds of heat and cold in one turn",
        "Two different storms cancel each other first. Otherwise, the storm and all elementals "
        "meet at the same time.",
        "W44",
    ),
    Reading(
        "A draw among several wizards",
        "All who were still in the duel when the turn began share the draw.",
        "R113",
    ),
    Reading(
        "What blind wizards learn about others’ spells",
        "They notice what the spells do, but not that anyone cast them.",
        "W33",
    ),
    Reading(
        "Blindness or Invisibility that Dispel Magic ends this turn",
        "Sight is decided when the turn begins, so spells and stabs still miss.",
        "W33",
    ),
    Reading(
        "The same hand is marked for Delay Effect and for Permanency",
        "The spell is banked, and the Permanency stays open.",
        "W35",
    ),
    Reading(
        "Time Stop and Haste on the same monster",
        "The monster attacks with the other monsters, again with the hasted ones, and then a third "
        "time.",
        "W13",
    ),
    Reading(
        "A permanent Confusion",
        "A new result is drawn every turn, just as the caster of a permanent Charm Person names a "
        "new gesture every turn.",
        "W26",
    ),
    Reading(
        "Effects on monsters during a hasted turn",
        "They do not run down during a hasted turn, and neither do effects on wizards.",
        "W11",
    ),
)
