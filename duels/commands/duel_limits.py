"""The limit on simultaneous duels per wizard, based on a count in the database.

Rate limits on requests are applied by the views (`duels.requests.rate_limits`).
"""

from typing import Final

from django.conf import settings

from duels.errors import Refused
from duels.models import DuelStatus, Outcome, Seat, Wizard, WizardKind

MAX_DUELS_OF_GUEST: Final = 8  # duels and challenges at once, without practice duels


def check_duels_at_once(wizard: Wizard) -> None:
    """Raise `Refused` if the wizard is in too many duels already."""
    at_once = Seat.objects.filter(
        wizard=wizard,
        accepted_at__isnull=False,
        outcome=Outcome.NONE,
        duel__lesson="",
        duel__status__in=[DuelStatus.GATHERING, DuelStatus.RUNNING],
    )
    is_guest = wizard.kind == WizardKind.GUEST
    most: int = MAX_DUELS_OF_GUEST if is_guest else settings.MOST_DUELS_AT_ONCE
    if at_once.count() >= most:
        text = f"You are in {most} duels and challenges, which is the maximum. Finish one first."
        raise Refused("too_many_duels", text)
