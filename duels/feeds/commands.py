"""Commands for the secret addresses of calendars."""

import secrets
from datetime import datetime

from duels.feeds.models import CalendarKey
from duels.models import User, Wizard


def renew_calendar_key(*, wizard: Wizard, now: datetime) -> CalendarKey:
    """Give the wizard's calendar a new address. The old address is no longer valid."""
    values = {"token": secrets.token_urlsafe(32), "created_at": now}
    key, _ = CalendarKey.objects.update_or_create(wizard=wizard, defaults=values)
    return key


def delete_calendar_key(*, wizard: Wizard) -> None:
    """Turn the wizard's calendar off."""
    CalendarKey.objects.filter(wizard=wizard).delete()


def delete_feeds_data(*, user: User, now: datetime) -> None:
    """Delete the calendar key of a user who closes their account."""
    CalendarKey.objects.filter(wizard__user=user).delete()
