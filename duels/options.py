"""Options that the wizards of a duel can agree on in addition to its ruleset, with their texts.

The engine (`engine.house_rules`) decides which rulesets have an option and what it changes.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

import engine


@dataclass(frozen=True)
class Option:
    """An option by the engine's name for it, with its texts."""

    name: str
    title: str  # in lists, headings and emails
    label: str  # on forms
    help: str
    terms: str  # after the name of the rules, among the terms of a challenge
    missing: str  # why a ruleset without it is rejected
    rule: str = ""


OPTIONS: Final[Mapping[str, Option]] = {
    option.name: option
    for option in (
        Option(
            "strict",
            "strict",
            "Strict: follow-up questions are asked after the reveal, never decided beforehand",
            "Such a turn takes a second round of waiting; otherwise most are decided with the "
            "orders.",
            "strict: follow-up questions are asked after the reveal",
            "Under the rules that you chose nothing is asked after the reveal: they cannot be "
            "played strict.",
        ),
        Option(
            "sacrifice",
            "house rule on Sacrifice",
            "House rule: a Sacrifice destroys a monster of its caster and does its strength "
            "in damage",
            "Only under rules that have the spell; without the house rule it does nothing.",
            "with the house rule on Sacrifice",
            "The rules that you chose have no Sacrifice for this house rule.",
            "R24",
        ),
        Option(
            "parafc",
            "ParaFC",
            "ParaFC: a paralysed hand that has made F makes C",
            "A variant of Warlocks. Without it a hand that has made C makes F, and one that has "
            "made F makes F again. S and W become D and P either way.",
            "ParaFC: a paralysed hand makes C after F, and C again after C",
            "ParaFC is a variant of Warlocks: the rules that you chose do not have it.",
            "W21",
        ),
        Option(
            "maladroit",
            "Maladroit",
            "Maladroit: D-S-F is Maladroitness, and there is no Confusion",
            "A variant of Warlocks. Under Maladroitness the left hand copies the right; a monster "
            "does not attack.",
            "Maladroit: D-S-F is Maladroitness in place of Confusion",
            "Maladroit is a variant of Warlocks: the rules that you chose do not have it.",
            "W23",
        ),
    )
}


def chosen(names: Collection[str]) -> list[Option]:
    """Return these options in their usual order."""
    return [option for option in OPTIONS.values() if option.name in names]


def rules_words(name: str, options: Collection[str]) -> str:
    """Return the name of the rules with the chosen options: "Warlocks with ParaFC"."""
    titles = [option.title for option in chosen(options)]
    return f"{name} with {engine.and_list(titles)}" if titles else name
