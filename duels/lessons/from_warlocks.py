"""Notes for players of RavenBlack's Warlocks on how this site interprets unclear rules."""

from dataclasses import dataclass
from typing import Final

RULESET: Final = "warlocks-1"


@dataclass(frozen=True)
class RuleInterpretation:
    """An unclear point in the rules of Warlocks, how this site plays it, and its rule here."""

    point: str
    here: str
    rule: str


RULE_INTERPRETATIONS: Final = (
    RuleInterpretation(
        "A wizard with full hit points is cured and hurt in the same turn",
        "The cure works first, up to sixteen, and then the damage. From fifteen, Cure Heavy "
        "Wounds and Cause Heavy Wounds leave thirteen.",
        "W4",
    ),
    RuleInterpretation(
        "Remove Enchantment without a target", "The spell is cast at the opponent.", "W3"
    ),
    RuleInterpretation(
        "A time-stopped turn and a hasted turn are both due",
        "The order is: time-stopped, hasted, normal.",
        "W12",
    ),
    RuleInterpretation(
        "Paralysis without a named hand", "The spell paralyses the left hand.", "W18"
    ),
    RuleInterpretation(
        "Disease or Poison cast on a wizard who already has it",
        "The wizard still dies on the earlier of the two turns.",
        "R92",
    ),
    RuleInterpretation(
        "Possible victims of a confused monster",
        "Every living being except itself, including monsters summoned this turn.",
        "R83",
    ),
    RuleInterpretation(
        "Monsters whose wizard is out of the duel",
        "They keep attacking their current victim.",
        "W39",
    ),
    RuleInterpretation(
        "A hasted monster killed before its second attack",
        "The monster does not make its second attack.",
        "W42",
    ),
    RuleInterpretation(
        "Three kinds of heat and cold in one turn",
        "Two different storms cancel each other first. Otherwise, the storm and all elementals "
        "meet at the same time.",
        "W44",
    ),
    RuleInterpretation(
        "A draw among several wizards",
        "All who were still in the duel when the turn began share the draw.",
        "R113",
    ),
    RuleInterpretation(
        "What blind wizards learn about others’ spells",
        "They notice what the spells do, but not that anyone cast them.",
        "W33",
    ),
    RuleInterpretation(
        "Blindness or Invisibility that Dispel Magic ends this turn",
        "Sight is decided when the turn begins, so spells and stabs still miss.",
        "W33",
    ),
    RuleInterpretation(
        "The same hand is marked for Delay Effect and for Permanency",
        "The spell is banked, and the Permanency stays open.",
        "W35",
    ),
    RuleInterpretation(
        "Time Stop and Haste on the same monster",
        "The monster attacks with the other monsters, again with the hasted ones, and then a third "
        "time.",
        "W13",
    ),
    RuleInterpretation(
        "A permanent Confusion",
        "A new result is drawn every turn, just as the caster of a permanent Charm Person names a "
        "new gesture every turn.",
        "W26",
    ),
    RuleInterpretation(
        "Effects on monsters during a hasted turn",
        "They do not run down during a hasted turn, and neither do effects on wizards.",
        "W11",
    ),
)
