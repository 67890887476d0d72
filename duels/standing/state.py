"""The current state of a duel as one value, which pages, emails and pictures render."""

from dataclasses import dataclass

from duels.standing.beings import Being, beings
from duels.standing.progress import WizardProgress, spells_in_progress
from duels.template_values import TemplateValue
from engine.play import View


@dataclass(frozen=True)
class DuelState(TemplateValue):
    """All beings with their wounds and effects, and all spells in progress, as far as seen."""

    beings: tuple[Being, ...]
    progress: tuple[WizardProgress, ...]
    ruleset: str  # id


def state_of(view: View) -> DuelState:
    """Return the state in this view."""
    return DuelState(beings(view), spells_in_progress(view), view.ruleset)
