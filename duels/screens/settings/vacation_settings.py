"""The vacation settings."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from duels.accounts.preferences import time_zone_of
from duels.clocks.clock import DAY
from duels.clocks.vacation import AT_FIRST, EARNED_IN, MOST_SAVED, Vacation, possible_return_days
from duels.models import Wizard
from duels.screens.settings.forms import VacationForm


@dataclass(frozen=True)
class VacationSettings:
    """A wizard's saved whole days, their current vacation, and the form for a new one."""

    saved: int
    current: Vacation | None
    form: VacationForm
    is_possible: bool  # whether enough days are saved
    earned_in: int = EARNED_IN
    at_first: int = AT_FIRST // DAY
    most: int = MOST_SAVED // DAY


def vacation_settings(wizard: Wizard, now: datetime, typed: Any = None) -> VacationSettings:
    """Return the current settings. `typed` is the form's submitted data, if any."""
    zone = time_zone_of(wizard)
    days = possible_return_days(wizard.savings, now, zone)
    return VacationSettings(
        saved=wizard.savings.saved_at(now) // DAY,
        current=wizard.vacation,
        form=VacationForm(typed, zone=zone, days=days),
        is_possible=days is not None,
    )
