"""Checks that reject the acts of suspended wizards and messages in locked chat."""

from datetime import datetime
from typing import Final

from duels.errors import Refused
from duels.models import Duel, Wizard
from duels.queries.speeches import speech_lock_text
from duels.wording.moments import moment_words

SPEECH_LOCKED_TEXT: Final = "speech_locked"


def check_may_act(wizard: Wizard, now: datetime) -> None:
    """Raise `Refused` if the wizard is suspended. The message gives the reason and the end."""
    if wizard.is_suspended_at(now):
        raise Refused("suspended", suspension_words(wizard))


def suspension_words(wizard: Wizard) -> str:
    """Return a sentence with the reason for the wizard's suspension and its end."""
    until = wizard.suspended_until
    how_long = f"until {moment_words(until, 'year')}" if until else "permanently"
    return f"A referee has suspended you {how_long}: {wizard.suspended_for}"


def check_may_speak(duel: Duel, wizard: Wizard, *, field: str) -> None:
    """Raise `Refused` if a referee has locked chat in this duel or for this wizard."""
    text = speech_lock_text(duel, wizard)
    if text:
        raise Refused(SPEECH_LOCKED_TEXT, text, field=field)
