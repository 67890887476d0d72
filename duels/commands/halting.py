"""Functions that pause duels for the site: clocks stop and no turn is played, but orders can be
sealed.

A duel stays paused as long as one of three reasons applies: a dispute (`Duel.halted_at`), a
referee's decision (`Duel.stopped_at`), or a release that plays its ruleset differently
(`Duel.held_at`).
"""

from datetime import datetime
from typing import Literal

from django.db import transaction

from duels.clocks import clock
from duels.commands.awaiting import store_clock, timing_of, update_clocks
from duels.commands.locking import lock_duel, open_turn_of
from duels.delivery.nudging import request_resolution
from duels.models import Duel, DuelStatus

HaltCause = Literal["halted_at", "stopped_at", "held_at"]


@transaction.atomic
def halt_for_dispute(duel_id: int, now: datetime) -> bool:
    """Pause the duel because of a dispute, without a log entry. Return whether this call paused it.

    Mark even a duel that is over, so that it is paused if a referee rolls it back before the
    dispute ends.
    """
    return halt(lock_duel(duel_id), "halted_at", now)


@transaction.atomic
def resume_after_dispute(duel_id: int, now: datetime) -> bool:
    """Remove the dispute as a reason to pause the duel. The duel resumes unless there is another
    reason.

    Each clock keeps the time it had left, or gets a fifth of the turn's time if that is more.
    Return whether this call removed the reason.
    """
    return resume(lock_duel(duel_id), "halted_at", now)


def halt(duel: Duel, cause: HaltCause, now: datetime) -> bool:
    """Pause a locked duel for this reason. Return whether this call added the reason."""
    if duel.started_at is None or getattr(duel, cause) is not None:
        return False
    _store_cause(duel, cause, now)
    if duel.status == DuelStatus.RUNNING:
        update_clocks(open_turn_of(duel), now)
    return True


def resume(duel: Duel, cause: HaltCause, now: datetime) -> bool:
    """Remove this reason to pause a locked duel. Return whether this call removed it."""
    if getattr(duel, cause) is None:
        return False
    _store_cause(duel, cause, None)
    if duel.status != DuelStatus.RUNNING or duel.is_halted:
        return True
    turn = open_turn_of(duel)
    for seat in turn.seats:
        enough = clock.clock_with_minimum_left(seat.clock, timing_of(turn.row))
        if enough != seat.clock:
            store_clock(seat, enough)
    update_clocks(turn, now)
    request_resolution(turn.row.pk)
    return True


def _store_cause(duel: Duel, cause: HaltCause, moment: datetime | None) -> None:
    setattr(duel, cause, moment)
    Duel.objects.filter(pk=duel.pk).update(**{cause: moment})
