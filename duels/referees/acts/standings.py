"""Functions that describe a duel's result and outcomes as text, or take them back."""

from collections.abc import Iterable, Sequence

from duels.commands.markers import take_back_markers
from duels.models import Duel, DuelStatus, Ended, Outcome, Seat
from duels.referees.acts.act_types import ActContext
from duels.sealing.seeds import renew_seed
from engine.words import and_list


def seats_of(duel: Duel) -> list[Seat]:
    """Return the duel's seats and wizards in order of place, all sharing this `duel` instance."""
    seats = list(Seat.objects.filter(duel=duel).select_related("wizard").order_by("place"))
    for seat in seats:
        seat.duel = duel
    return seats


def result_words(duel: Duel, seats: Iterable[Seat]) -> str:
    """Return the duel's result as text."""
    if duel.status == DuelStatus.ANNULLED:
        return "annulled"
    if not duel.is_over:
        return "none yet"
    return winner_words(duel.result, seats)


def winner_words(result: str, seats: Iterable[Seat]) -> str:
    """Return this result as text."""
    winner = next((seat.wizard.name for seat in seats if seat.code == result), "")
    return f"{winner} wins" if winner else "a draw"


def outcome_words(seat: Seat) -> str:
    """Return the outcome of this seat as text."""
    return str(Outcome(seat.outcome).label)


def record_outcome_changes(
    context: ActContext, seats: Sequence[Seat], before: Sequence[str]
) -> None:
    """Record a change for each wizard whose outcome differs from the one in `before`."""
    for seat, was in zip(seats, before, strict=True):
        context.change(seat.wizard.name, was, outcome_words(seat))


def take_back_result(context: ActContext, seats: Sequence[Seat]) -> None:
    """Take back the markers moved by the end of the duel, and record the changes.

    The caller saves the rows of the duel and its seats.
    """
    duel, seat_by_wizard = context.the_duel, {seat.wizard_id: seat for seat in seats}
    back = take_back_markers(duel)
    if back.of:
        lost = [seat_by_wizard[pk] for pk in back.of if pk in seat_by_wizard]
        names = and_list([seat.wizard.name for seat in lost])
        context.change(f"The marker of {names}", "held by the winner", "given back")
        context.facts["markers_of"] = [seat.code for seat in lost]
    if back.given_to:
        held = [seat_by_wizard[pk] for pk in back.given_to if pk in seat_by_wizard]
        names = and_list([seat.wizard.name for seat in held])
        context.change(f"The markers that {names} held", "given back", "held again")
        context.facts["markers_to"] = [seat.code for seat in held]
    if duel.is_over:
        context.facts["was"] = {"status": duel.status, "ended": duel.ended, "result": duel.result}


def reopen_duel(duel: Duel, seats: Sequence[Seat], roll_backs: int) -> None:
    """Resume a duel that was over, after this number of rollbacks.

    Everything already public stays public. The dice get a new seed.
    """
    renew_seed(duel, roll_backs)
    duel.status = DuelStatus.RUNNING
    duel.ended = Ended.NOT
    duel.ended_at = None
    duel.result = ""
    duel.final_position = None
    duel.paused_at = None
    duel.save(
        update_fields=[
            "seed",
            "seed_commitment",
            "seed_roll_backs",
            "past_seeds",
            "status",
            "ended",
            "ended_at",
            "result",
            "final_position",
            "paused_at",
        ]
    )
    for seat in seats:
        seat.duel_ended_at = None
