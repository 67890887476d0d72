"""Context for the settings: reading preferences and vacations."""

from datetime import datetime
from typing import Any

from duels.accounts import preferences
from duels.clocks import vacation
from duels.clocks.clock import DAY
from duels.clocks.zones import ZoneGroup, zone_groups
from duels.models import Wizard
from duels.screens.settings.forms import VacationForm

NO_ZONE: ZoneGroup = ("", (("", "same as my browser"),))


def reading_fields(reading: preferences.ReadingPreferences) -> list[dict[str, Any]]:
    """Return a field for each preference, with grouped choices and the current choice.

    The group named "" has choices without a heading.
    """
    return [
        {
            "name": name,
            "label": preferences.LABELS[name],
            "groups": (
                (NO_ZONE, *zone_groups())
                if name == preferences.ZONE_FIELD
                else [("", preferences.CHOICES[name].items())]
            ),
            "chosen": getattr(reading, name),
            "help": preferences.HELP_TEXTS.get(name, ""),
        }
        for name in preferences.PREFERENCE_FIELDS
    ]


def vacation_settings(wizard: Wizard, now: datetime, typed: Any = None) -> dict[str, Any]:
    """Return the wizard's saved whole days, their current vacation, and the form for a new one.

    `typed` is the form's submitted data, if any.
    """
    zone = preferences.time_zone_of(wizard)
    days = vacation.possible_return_days(wizard.savings, now, zone)
    return {
        "saved": wizard.savings.saved_at(now) // DAY,
        "current": wizard.vacation,
        "form": VacationForm(typed, zone=zone, days=days),
        "is_possible": days is not None,
        "earned_in": vacation.DAYS_PER_EARNED_DAY,
        "at_first": vacation.INITIAL_VACATION // DAY,
        "most": vacation.MAX_SAVED_VACATION // DAY,
    }
