"""The current state of a duel, as pages, emails and pictures show it."""

from dataclasses import dataclass

from duels.standing.beings import Being, beings_of
from duels.standing.progress import WizardProgress, spells_in_progress
from duels.template_values import TemplateValue
from engine.play import View


@dataclass(frozen=True)
class DuelState(TemplateValue):
    """The beings with their wounds and effects, and the spells in progress, for one observer."""

    beings: tuple[Being, ...]
    progress: tuple[WizardProgress, ...]
    ruleset: str  # id


def state_of(view: View) -> DuelState:
    return DuelState(beings_of(view), spells_in_progress(view), view.ruleset)
