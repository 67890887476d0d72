"""Queries for calendars."""

from typing import Any

from duels.feeds.models import CalendarKey
from duels.models import Wizard


def calendar_key(wizard: Wizard) -> CalendarKey | None:
    """Return the key of the wizard's calendar, or None if it is off."""
    return CalendarKey.objects.filter(wizard=wizard).first()


def wizard_by_calendar_token(token: str) -> Wizard | None:
    """Return the wizard whose calendar has this token, or None."""
    if "\0" in token:
        return None
    key = CalendarKey.objects.filter(token=token).select_related("wizard").first()
    return key.wizard if key else None


def exported_feeds(wizard: Wizard) -> dict[str, Any]:
    """Return the wizard's data in this app, without the secret address of the calendar."""
    key = calendar_key(wizard)
    return {"calendar_address_since": key and key.created_at}
