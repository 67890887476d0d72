"""Functions that take a wizard out of a duel, whether or not it has begun."""

from datetime import datetime

from duels.commands.challenges import decline, leave, withdraw
from duels.commands.endings import resign
from duels.models import DuelStatus, Outcome, Seat, Wizard


def seats_in_unfinished_duels(wizard: Wizard) -> list[Seat]:
    """Return the wizard's seats in duels that are running or still waiting for players."""
    gathering = Seat.objects.filter(wizard=wizard, duel__status=DuelStatus.GATHERING)
    running = Seat.objects.filter(
        wizard=wizard, duel__status=DuelStatus.RUNNING, outcome=Outcome.NONE
    )
    return list((gathering | running).select_related("duel").order_by("duel_id"))


def give_up_seat(seat: Seat, wizard: Wizard, now: datetime) -> None:
    """Take the wizard out of this seat's duel: resign, withdraw, decline or leave."""
    if seat.duel.status == DuelStatus.RUNNING:
        resign(duel_id=seat.duel_id, wizard=wizard, now=now)
    elif seat.duel.challenger_id == wizard.pk:
        withdraw(duel_id=seat.duel_id, wizard=wizard, now=now)
    elif seat.accepted_at is None:
        decline(duel_id=seat.duel_id, wizard=wizard, now=now)
    else:
        leave(duel_id=seat.duel_id, wizard=wizard, now=now)
