"""Functions that move markers in the transaction that ends a duel. rules: R114, R178"""

from collections.abc import Collection

import engine.play
from duels.commands.duel_end import DuelEnd
from duels.models import DuelEnding, Marker, Seat, WizardKind
from engine.play import MarkersReturned, MarkerTaken


def move_markers(end: DuelEnd) -> None:
    """Record the markers that change hands when the duel ends.

    The database rejects a repeated call, because a wizard can lose only one marker in a duel.
    """
    if end.duel.is_practice or end.how in (DuelEnding.ABANDONED, DuelEnding.ANNULLED):
        return
    moved = engine.play.marker_events(end.position, end.result)
    # No markers move in duels with guests; otherwise, players could collect markers by creating
    # guests.
    if not moved or any(seat.wizard.kind == WizardKind.GUEST for seat in end.seats):
        return
    wizards = {seat.code: seat.wizard for seat in end.seats}
    taken = Marker.objects.bulk_create(
        Marker(
            duel=end.duel,
            bears=wizards[event.subject],
            holder=wizards[event.wizard],
            won_at=end.now,
        )
        for event in moved
        if isinstance(event, MarkerTaken)
    )
    dead = [wizards[event.wizard] for event in moved if isinstance(event, MarkersReturned)]
    # Lock in a fixed order, so that two duels that end at the same time do not deadlock.
    held = Marker.objects.filter(holder__in=dead, returned_at=None).order_by("pk")
    given_back = list(held.select_for_update(no_key=True))
    Marker.objects.filter(pk__in=[marker.pk for marker in given_back]).update(
        returned_at=end.now, returned_in=end.duel
    )
    losers = _seats_of(end, {marker.bears_id for marker in taken})
    holders = _seats_of(end, {marker.holder_id for marker in given_back})
    end.record_change("The marker of {}", losers, "their own", "held by the winner")
    end.record_change("The markers that {} held", holders, "held", "given back")


def take_back_markers(end: DuelEnd) -> None:
    """Undo the moves of markers that were made when the duel ended, if any.

    Wizards who gave back markers because they died in this duel hold them again, unless they have
    died in another duel since.
    """
    duel = end.duel
    taken = list(Marker.objects.filter(duel=duel).order_by("pk").select_for_update())
    returned = list(Marker.objects.filter(returned_in=duel).order_by("pk").select_for_update())
    for marker in returned:
        gone = Marker.objects.filter(holder=marker.holder_id, returned_at__gt=marker.returned_at)
        later = gone.exclude(returned_in=duel).order_by("returned_at").first()
        marker.returned_at = later.returned_at if later else None
        marker.returned_in = later.returned_in if later else None
    Marker.objects.bulk_update(returned, ["returned_at", "returned_in"])
    Marker.objects.filter(pk__in=[marker.pk for marker in taken]).delete()
    losers = _seats_of(end, {marker.bears_id for marker in taken})
    holders = _seats_of(end, {marker.holder_id for marker in returned})
    end.record_change("The marker of {}", losers, "held by the winner", "given back")
    end.record_change("The markers that {} held", holders, "given back", "held again")
    for fact, seats in (("markers_of", losers), ("markers_to", holders)):
        if seats:
            end.facts[fact] = [seat.code for seat in seats]


def _seats_of(end: DuelEnd, wizards: Collection[int]) -> list[Seat]:
    return [seat for seat in end.seats if seat.wizard_id in wizards]
