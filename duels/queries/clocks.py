"""The clocks of awaited wizards, as far as a reader may see them."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from duels.loaded.open_turn import hides_questions
from duels.models import Seat


@dataclass(frozen=True)
class KnownClock:
    """A wizard's deadline, or the time left while their clock is stopped."""

    since: datetime | None  # when the duel began to wait for the wizard
    due_at: datetime | None = None
    left: timedelta | None = None


def known_clock(seat: Seat, own_seat: Seat | None, kind: str) -> KnownClock | None:
    """Return this seat's clock, or None if it has none or the reader may not see it.

    `kind` is the kind of the open turn. Because answers have their own deadline, clocks could
    reveal hidden questions, so wizards see only their own clock in turns that may have them.
    """
    has_clock = seat.due_at is not None or seat.clock_left is not None
    is_known = seat is own_seat or not hides_questions(kind)
    if not (seat.awaited and has_clock and is_known):
        return None
    return KnownClock(seat.awaited_since, seat.due_at, seat.clock_left)
