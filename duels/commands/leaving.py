"""A wizard leaves their duels, each in the way that its state allows."""

from datetime import datetime

from duels.commands.challenges import decline, leave, withdraw
from duels.commands.endings import resign
from duels.models import DuelStatus, Outcome, Seat, Wizard


def seats_taken(wizard: Wizard) -> list[Seat]:
    """The wizard's places in duels that go on or are to begin."""
    gathering = Seat.objects.filter(wizard=wizard, duel__status=DuelStatus.GATHERING)
    running = Seat.objects.filter(
        wizard=wizard, duel__status=DuelStatus.RUNNING, outcome=Outcome.NONE
    )
    return list((gathering | running).select_related("duel").order_by("duel_id"))


def give_up_seat(seat: Seat, wizard: Wizard, now: datetime) -> None:
    """The wizard takes part in that duel no more: it is resigned, withdrawn, declined or left."""
    if seat.duel.status == DuelStatus.RUNNING:
        resign(duel_id=seat.duel_id, wizard=wizard, now=now)
    elif seat.duel.challenger_id == wizard.pk:
        withdraw(duel_id=seat.duel_id, wizard=wizard, now=now)
    elif seat.accepted_at is None:
        decline(duel_id=seat.duel_id, wizard=wizard, now=now)
    else:
        leave(duel_id=seat.duel_id, wizard=wizard, now=now)
