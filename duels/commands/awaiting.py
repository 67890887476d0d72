"""Functions that set which wizards must still act in an open turn, and set their clocks.

Only this module writes the columns `awaited` and `awaited_since` and the columns of the clocks.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from duels.clocks import clock
from duels.clocks.clock import NO_CLOCK, Clock, Pace, Timing
from duels.delivery.nudging import TaskName, send_task_after_commit
from duels.loaded.open_turn import OpenTurn
from duels.models import Seat, Stage, Turn


def await_wizards(
    turn: Turn,
    seats: Sequence[Seat],
    wizards: Collection[str],
    now: datetime,
    *,
    sealed_by: Seat | None = None,
    is_taken_back: bool = False,
) -> None:
    """Make the turn wait for exactly these wizards. Do not change clocks that are already running.

    `seats` contains all seats of the duel. The wizard who has just sealed (`sealed_by`) counts as
    having read the previous turn, and their missed turns are reset. A wizard who must now act gets
    the full time of the stage, or only the time they had left if they took a seal back
    (`is_taken_back`).
    """
    joining = [seat for seat in seats if seat.code in wizards and not seat.awaited]
    leaving = [
        seat for seat in seats if seat is sealed_by or (seat.awaited and seat.code not in wizards)
    ]
    if leaving:
        changes: dict[str, Any] = {"awaited": False, "awaited_since": None}
        if sealed_by is not None:
            changes["read_turn"] = max(sealed_by.read_turn, turn.ordinal - 1)
            changes["missed_turns"] = 0
        _update_seats(leaving, changes)
    waiting_columns = {"awaited": True, "awaited_since": now}
    resuming = [seat for seat in joining if is_taken_back and seat.clock != NO_CLOCK]
    if resuming:
        _update_seats(resuming, waiting_columns)
    starting = [seat for seat in joining if seat not in resuming]
    if starting:
        _start_clocks(turn, starting, waiting_columns, now)
    if joining and turn.duel.is_practice:
        # After the commit, the task checks whether the practice opponent must act.
        send_task_after_commit(TaskName.PRACTISE, turn.pk)


def clock_is_stopped(seat: Seat) -> bool:
    """Return whether the duel's pause or the wizard's vacation stops their clock."""
    duel = seat.duel
    return duel.paused_at is not None or duel.is_halted or seat.vacation_until is not None


def update_clocks(turn: OpenTurn, now: datetime) -> None:
    """Stop or resume each clock of a locked duel, depending on `clock_is_stopped`.

    Call this whenever a reason to stop a clock appears or disappears. Calling it twice is harmless.
    """
    timing = timing_of(turn.row)
    for seat in turn.seats:
        if clock_is_stopped(seat):
            settled = clock.stopped_clock(seat.clock, now)
        else:
            settled = clock.resumed_clock(seat.clock, timing, now)
        if settled != seat.clock:
            store_clock(seat, settled)


def store_clock(seat: Seat, running: Clock) -> None:
    _update_seats([seat], _clock_columns(running))


def timing_of(turn: Turn) -> Timing:
    """Return what determines the time for the turn's stage."""
    return Timing(Pace.parse(turn.duel.pace), for_answers=turn.stage == Stage.ANSWERS)


def _start_clocks(
    turn: Turn, seats: Sequence[Seat], waiting_columns: dict[str, Any], now: datetime
) -> None:
    for is_stopped in (False, True):
        starting = [seat for seat in seats if clock_is_stopped(seat) == is_stopped]
        if starting:
            fresh = clock.new_clock(timing_of(turn), now, is_stopped=is_stopped)
            _update_seats(starting, {**waiting_columns, **_clock_columns(fresh)})


def _clock_columns(running: Clock) -> dict[str, Any]:
    return {
        "due_at": running.due_at,
        "remind_at": running.remind_at,
        "clock_left": running.left,
        "is_reminded": running.is_reminded,
    }


def _update_seats(seats: Sequence[Seat], changes: dict[str, Any]) -> None:
    for seat in seats:
        for name, value in changes.items():
            setattr(seat, name, value)
    Seat.objects.filter(pk__in=[seat.pk for seat in seats]).update(**changes)
