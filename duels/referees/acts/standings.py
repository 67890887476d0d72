"""Functions that describe a duel's result and outcomes as text, or undo its end."""

from collections.abc import Iterable, Sequence

from duels.commands.duel_end import DuelEnd
from duels.commands.end_steps import undo_end
from duels.models import Duel, DuelStatus, Outcome, Seat
from duels.referees.acts.act_types import ActContext


def seats_of(duel: Duel) -> list[Seat]:
    """Return the duel's seats in order of place. All of them share this `duel` instance."""
    seats = list(Seat.objects.filter(duel=duel).select_related("wizard").order_by("place"))
    for seat in seats:
        seat.duel = duel
    return seats


def result_words(duel: Duel, seats: Iterable[Seat]) -> str:
    if duel.status == DuelStatus.ANNULLED:
        return "annulled"
    if not duel.is_over:
        return "none yet"
    return winner_words(duel.result, seats)


def winner_words(result: str, seats: Iterable[Seat]) -> str:
    """Return text for a result, which is the winner's seat or a draw."""
    winner = next((seat.wizard.name for seat in seats if seat.code == result), "")
    return f"{winner} wins" if winner else "a draw"


def outcome_words(seat: Seat) -> str:
    return str(Outcome(seat.outcome).label)


def record_outcome_changes(
    context: ActContext, seats: Sequence[Seat], before: Sequence[str]
) -> None:
    """Record a change for each wizard whose outcome differs from the one in `before`."""
    for seat, was in zip(seats, before, strict=True):
        context.record_change(seat.wizard.name, was, outcome_words(seat))


def take_back_end(context: ActContext, seats: Sequence[Seat]) -> DuelEnd:
    """Undo the end of a finished duel, and record the changes."""
    undone = undo_end(context.the_duel, seats, context.now)
    context.changes += undone.changes
    context.facts |= undone.facts
    return undone
