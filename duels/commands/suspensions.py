"""Whom a referee has suspended, and who may not speak: what they try to do is refused."""

from datetime import datetime
from typing import Final

from duels.errors import Refused
from duels.models import Duel, Wizard
from duels.moments import moment_words

LOCKED: Final = "speech_locked"


def check_may_act(wizard: Wizard, now: datetime) -> None:
    """Refuses whoever is suspended: says why, and until when."""
    if wizard.is_suspended_at(now):
        raise Refused("suspended", suspension_words(wizard))


def suspension_words(wizard: Wizard) -> str:
    """Why this wizard is suspended, and until when."""
    until = wizard.suspended_until
    how_long = f"until {moment_words(until, 'year')}" if until else "for good"
    return f"A referee has suspended you {how_long}: {wizard.suspended_for}"


def check_may_speak(duel: Duel, wizard: Wizard, *, field: str) -> None:
    """Refuses words where a referee has locked speech: in this duel, or for this wizard."""
    if duel.speech_locked_at is not None:
        raise Refused(LOCKED, "A referee has locked speech in this duel.", field=field)
    if wizard.speech_locked_at is not None:
        raise Refused(LOCKED, "A referee has locked your speech.", field=field)
