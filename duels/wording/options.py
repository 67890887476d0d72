"""Texts for the options of duels, which wizards can agree on in addition to a ruleset.

The engine decides which rulesets have an option and what it does (`engine.play.available_options`).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class OptionText:
    """An option, with the engine's name for it and its texts."""

    name: str
    title: str  # in lists, headings and emails
    label: str  # on forms
    help: str
    terms: str  # in the terms of a challenge, after the name of the ruleset
    missing: str  # the error for rulesets that do not have the option
    rule: str = ""


OPTION_TEXTS: Final[Mapping[str, OptionText]] = {
    option.name: option
    for option in (
        OptionText(
            "strict",
            "strict",
            "Strict: follow-up questions are asked after the reveal, never decided beforehand",
            "A turn with such questions then needs a second round of waiting. Otherwise most of "
            "them are decided with the orders.",
            "strict: follow-up questions are asked after the reveal",
            "The ruleset you chose has no questions after the reveal, so it cannot be played "
            "strict.",
        ),
        OptionText(
            "sacrifice",
            "house rule on Sacrifice",
            "House rule: Sacrifice destroys one of the caster’s own monsters and deals its "
            "strength as damage",
            "Only for rulesets with this spell. Without the house rule the spell does nothing.",
            "with the house rule on Sacrifice",
            "The ruleset you chose has no Sacrifice spell, so you cannot use this house rule.",
            "R24",
        ),
        OptionText(
            "parafc",
            "ParaFC",
            "ParaFC: a paralysed hand that made F makes C",
            "A variant of Warlocks. Without it, a paralysed hand that made C makes F, and one "
            "that made F makes F again. S and W become D and P either way.",
            "ParaFC: a paralysed hand makes C after F, and C again after C",
            "ParaFC is a variant of Warlocks. The ruleset you chose does not have it.",
            "W21",
        ),
        OptionText(
            "maladroit",
            "Maladroit",
            "Maladroit: D-S-F is Maladroitness, and there is no Confusion",
            "A variant of Warlocks. Under Maladroitness, the left hand copies the right; a "
            "monster does not attack.",
            "Maladroit: D-S-F is Maladroitness instead of Confusion",
            "Maladroit is a variant of Warlocks. The ruleset you chose does not have it.",
            "W23",
        ),
    )
}


def selected_options(names: Collection[str]) -> list[OptionText]:
    return [option for option in OPTION_TEXTS.values() if option.name in names]
