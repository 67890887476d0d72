"""Acts that end a duel or change its result: remove a player, declare a result, annul the duel."""

from collections.abc import Sequence
from typing import Final

from duels.commands.duel_end import DuelEnd
from duels.commands.end_steps import end_during_turn, end_with_other_result
from duels.commands.endings import remove_wizard
from duels.errors import Refused
from duels.models import DuelStatus, Ended, Seat
from duels.referees.acts import standings
from duels.referees.acts.act_types import ActContext

ANNULLED: Final = "annulled"


def annul_duel(context: ActContext) -> None:
    """Annul the duel, so that it has no result. Return its markers and make everything public."""
    duel = context.the_duel
    if duel.status == DuelStatus.ANNULLED:
        raise Refused("annulled_already", "This duel is already annulled.")
    seats = standings.seats_of(duel)
    outcomes = [standings.outcome_words(seat) for seat in seats]
    result = standings.result_words(duel, seats)
    end = _end_duel(context, seats, Ended.ANNULLED, "")
    context.record_change("The result", result, ANNULLED)
    in_it = standings.outcome_words(Seat())
    for seat, was in zip(seats, outcomes, strict=True):
        if was != in_it:
            context.record_change(seat.wizard.name, was, "no result")
    context.changes += end.changes


def declare_result(context: ActContext) -> None:
    """Give the duel this result in place of any earlier one, and move markers accordingly."""
    duel, result = context.the_duel, context.values["result"]
    if duel.status == DuelStatus.OVER and duel.result == result:
        raise Refused("same_result", "The duel already has this result.", field="result")
    seats = standings.seats_of(duel)
    outcomes = [standings.outcome_words(seat) for seat in seats]
    before = standings.result_words(duel, seats)
    context.facts["result"] = result
    end = _end_duel(context, seats, Ended.DECLARED, result)
    context.record_change(
        "The result", before, f"{standings.winner_words(result, seats)}, by declaration"
    )
    standings.record_outcome_changes(context, end.seats, outcomes)
    context.changes += end.changes


def remove_wizard_from_duel(context: ActContext) -> None:
    """Remove the wizard from the duel, as if they had resigned."""
    seat: Seat = context.values["seat"]
    turn = context.open_turn()
    gone = next(each for each in turn.seats if each.pk == seat.pk)
    if not gone.is_playing:
        raise Refused("out_of_it", f"{gone.wizard} is already out of this duel.", field="seat")
    context.set_seat(gone)
    context.turn = turn.row.ordinal
    outcomes = [standings.outcome_words(each) for each in turn.seats]
    end = remove_wizard(turn, gone, Ended.REMOVED, context.now)
    duel = context.duel = turn.duel
    seats = standings.seats_of(duel)
    standings.record_outcome_changes(context, seats, outcomes)
    context.record_change("The result", "none yet", standings.result_words(duel, seats))
    context.changes += end.changes if end else ()


def _end_duel(context: ActContext, seats: Sequence[Seat], ending: Ended, result: str) -> DuelEnd:
    if context.the_duel.is_over:
        return end_with_other_result(standings.take_back_end(context, seats), ending, result)
    turn = context.open_turn()
    context.turn = turn.row.ordinal
    context.duel = turn.duel
    return end_during_turn(turn, ending, result, context.now)
