"""Functions that change a renamed wizard's name in their duels.

Events and draws refer to wizards by place, so they do not change.
"""

from django.db.models import QuerySet

import engine.play
from duels.loaded import adjudication
from duels.models import Seat, Turn


def rename_in_duels(seats: QuerySet[Seat]) -> None:
    """Update the wizards' names in these seats' duels, which the caller has locked."""
    for seat in seats.filter(place__isnull=False).select_related("duel", "wizard"):
        _rename_in_duel(seat)


def _rename_in_duel(seat: Seat) -> None:
    """Update the wizard's name and pronouns wherever the duel stores them."""
    name, pronouns = seat.wizard.name, seat.wizard.pronouns
    turns = list(Turn.with_voided.filter(duel=seat.duel))
    for turn in turns:
        position = adjudication.position_at_start(turn)
        turn.position = engine.play.dump(
            adjudication.with_renamed_wizard(position, seat.code, name, pronouns)
        )
        if turn.questions:
            present = adjudication.position_after_departures(turn)
            turn.questions = [
                adjudication.question_to_store(
                    present, adjudication.load_stored_question(asked), asked["made"]
                )
                for asked in turn.questions
            ]
    Turn.objects.bulk_update(turns, ["position", "questions"])
    duel = seat.duel
    if duel.final_position is not None:
        position = engine.play.load_position(duel.final_position)
        final = adjudication.with_renamed_wizard(position, seat.code, name, pronouns)
        duel.final_position = engine.play.dump(final)
        duel.save(update_fields=["final_position"])
