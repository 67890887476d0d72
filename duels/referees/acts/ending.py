"""Acts that end a duel or change its result: remove a player, declare a result, annul."""

from collections.abc import Sequence
from typing import Final

from duels.commands.endings import remove_wizard
from duels.commands.markers import move_markers
from duels.commands.opening import close_turn, end_duel, outcome_by
from duels.errors import Refused
from duels.loaded import adjudication
from duels.models import Duel, DuelStatus, Ended, Marker, Outcome, Seat, Stage, Turn
from duels.referees.acts.act_types import ActContext
from duels.referees.acts.standings import (
    outcome_words,
    record_outcome_changes,
    result_words,
    seats_of,
    take_back_result,
    winner_words,
)
from engine.play import STANDING
from engine.words import and_list

ANNULLED: Final = "annulled"


def annul(context: ActContext) -> None:
    """Annul the duel: it has no result, markers are returned, and everything in it becomes
    public."""
    duel = context.the_duel
    if duel.status == DuelStatus.ANNULLED:
        raise Refused("annulled_already", "This duel is already annulled.")
    seats = seats_of(duel)
    outcomes, result = [outcome_words(seat) for seat in seats], result_words(duel, seats)
    take_back_result(context, seats)
    if duel.status == DuelStatus.RUNNING:
        seats = _end(context, Ended.ANNULLED, "")
    else:
        duel.status, duel.ended, duel.result = DuelStatus.ANNULLED, Ended.ANNULLED, ""
        for seat in seats:
            seat.outcome = Outcome.NONE
        _save(duel, seats)
    context.change("The result", result, ANNULLED)
    in_it = outcome_words(Seat())
    for seat, was in zip(seats, outcomes, strict=True):
        if was != in_it:
            context.change(seat.wizard.name, was, "no result")


def declare(context: ActContext) -> None:
    """Give the duel this result instead of any earlier one, and move markers accordingly."""
    duel, result = context.the_duel, context.values["result"]
    if duel.status == DuelStatus.OVER and duel.result == result:
        raise Refused("same_result", "The duel already has this result.", field="result")
    seats = seats_of(duel)
    outcomes, before = [outcome_words(seat) for seat in seats], result_words(duel, seats)
    take_back_result(context, seats)
    context.facts["result"] = result
    if duel.status == DuelStatus.RUNNING:
        seats = _end(context, Ended.DECLARED, result)
    else:
        _change_result(context, seats, result)
    context.change("The result", before, f"{winner_words(result, seats)}, by declaration")
    record_outcome_changes(context, seats, outcomes)
    _record_marker_changes(context, seats)


def remove(context: ActContext) -> None:
    """Remove the wizard from the duel, as if they had resigned."""
    seat: Seat = context.values["seat"]
    turn = context.open_turn()
    gone = next(each for each in turn.seats if each.pk == seat.pk)
    if not gone.is_playing:
        raise Refused("out_of_it", f"{gone.wizard} is already out of this duel.", field="seat")
    context.set_seat(gone)
    context.turn = turn.row.ordinal
    outcomes = [outcome_words(each) for each in turn.seats]
    remove_wizard(turn, gone, Ended.REMOVED, context.now)
    duel = context.duel = turn.duel
    seats = seats_of(duel)
    record_outcome_changes(context, seats, outcomes)
    context.change("The result", "none yet", result_words(duel, seats))
    _record_marker_changes(context, seats)


def _end(context: ActContext, how: Ended, result: str) -> list[Seat]:
    """End a running duel. Return its seats."""
    turn = context.open_turn()
    context.turn = turn.row.ordinal
    close_turn(turn, turn.position, context.now, stage=Stage.VOID)
    end_duel(turn, turn.position, how, result, context.now)
    context.duel = turn.duel
    return list(turn.seats)


def _change_result(context: ActContext, seats: Sequence[Seat], result: str) -> None:
    """Change the result of a duel that is over.

    Wizards who fell or left before its last turn still count as losers, unless one of them is the
    new winner.
    """
    duel = context.the_duel
    turns = list(Turn.objects.filter(duel=duel).order_by("ordinal"))
    last = adjudication.start_of(turns[-1])
    stood = {wizard.id for wizard in last.wizards if wizard.standing == STANDING}
    for seat in seats:
        left = _departure_outcome(seat, turns)
        if seat.code == result or (left is None and seat.code in stood):
            seat.outcome = outcome_by(seat.code, result)
        else:
            seat.outcome = left or Outcome.LOST
    duel.status, duel.ended, duel.result = DuelStatus.OVER, Ended.DECLARED, result
    _save(duel, seats)
    final = adjudication.loaded_position(duel.final_position)
    move_markers(duel, seats, final, result, context.now)


def _departure_outcome(seat: Seat, turns: Sequence[Turn]) -> Outcome | None:
    """Return the outcome of a wizard who left the duel alive, or None if they did not leave."""
    for turn in turns:
        if seat.code in turn.removed:
            return Outcome.REMOVED
        if seat.code in turn.forfeited:
            return Outcome.FORFEITED
        if seat.code in turn.resigned:
            return Outcome.RESIGNED
    return None


def _record_marker_changes(context: ActContext, seats: Sequence[Seat]) -> None:
    """Record the markers that change hands with the result as changes."""
    taken = set(Marker.objects.filter(duel=context.the_duel).values_list("bears", flat=True))
    lost = [seat.wizard.name for seat in seats if seat.wizard_id in taken]
    if lost:
        context.change(f"The marker of {and_list(lost)}", "their own", "held by the winner")
    given = Marker.objects.filter(returned_in=context.the_duel).values_list("holder", flat=True)
    back = set(given)
    returned = [seat.wizard.name for seat in seats if seat.wizard_id in back]
    if returned:
        context.change(f"The markers that {and_list(returned)} held", "held", "given back")


def _save(duel: Duel, seats: Sequence[Seat]) -> None:
    duel.save(update_fields=["status", "ended", "result"])
    Seat.objects.bulk_update(seats, ["outcome"])
