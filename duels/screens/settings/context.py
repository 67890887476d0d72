"""Context for the settings: reading preferences and vacations."""

from datetime import datetime
from typing import Any

from duels.accounts.preferences import (
    CHOICES,
    FIELDS,
    HELP,
    LABELS,
    ZONE,
    ReadingPreferences,
    time_zone_of,
)
from duels.clocks.clock import DAY
from duels.clocks.vacation import (
    DAYS_PER_EARNED_DAY,
    INITIAL_VACATION,
    MAX_SAVED_VACATION,
    possible_return_days,
)
from duels.clocks.zones import Group, zone_groups
from duels.models import Wizard
from duels.screens.settings.forms import VacationForm

NO_ZONE: Group = ("", (("", "same as my browser"),))


def reading_fields(reading: ReadingPreferences) -> list[dict[str, Any]]:
    """Return a field for each preference, with grouped choices and the current choice.

    The group named "" has choices without a heading.
    """
    return [
        {
            "name": name,
            "label": LABELS[name],
            "groups": (
                (NO_ZONE, *zone_groups()) if name == ZONE else [("", CHOICES[name].items())]
            ),
            "chosen": getattr(reading, name),
            "help": HELP.get(name, ""),
        }
        for name in FIELDS
    ]


def vacation_settings(wizard: Wizard, now: datetime, typed: Any = None) -> dict[str, Any]:
    """Return the wizard's saved whole days, their current vacation, and the form for a new one.

    `typed` is the form's submitted data, if any.
    """
    zone = time_zone_of(wizard)
    days = possible_return_days(wizard.savings, now, zone)
    return {
        "saved": wizard.savings.saved_at(now) // DAY,
        "current": wizard.vacation,
        "form": VacationForm(typed, zone=zone, days=days),
        "is_possible": days is not None,
        "earned_in": DAYS_PER_EARNED_DAY,
        "at_first": INITIAL_VACATION // DAY,
        "most": MAX_SAVED_VACATION // DAY,
    }
