"""What a reader may know of the clocks of those for whom a duel waits."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from duels.models import Seat
from duels.open_turn import hides_questions


@dataclass(frozen=True)
class KnownClock:
    """When what a wizard is waited for is due, or how much is left while the clock stands."""

    since: datetime | None  # for how long the wizard has been waited for
    due_at: datetime | None = None
    left: timedelta | None = None


def known_clock(seat: Seat, mine: Seat | None, kind: str) -> KnownClock | None:
    """The clock of this seat, if the open turn, of this kind, waits for its wizard by a clock.

    Answers have a time of their own, so in a turn whose questions are hidden from the others each
    knows their own clock only.
    """
    has_clock = seat.due_at is not None or seat.clock_left is not None
    is_known = seat is mine or not hides_questions(kind)
    if not (seat.awaited and has_clock and is_known):
        return None
    return KnownClock(seat.awaited_since, seat.due_at, seat.clock_left)
