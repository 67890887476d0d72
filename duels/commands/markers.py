"""Markers change hands at the end of a duel, in the same transaction. rules: R114, R178"""

from collections.abc import Sequence
from datetime import datetime

import engine
from duels.models import Duel, Marker, Seat
from engine import MarkersReturned, MarkerTaken


def move_markers(
    duel: Duel, seats: Sequence[Seat], position: engine.Position, result: str, now: datetime
) -> None:
    """What this end of the duel won is kept, and what it lost is given back.

    Once: no second marker of a duel bears the same name.
    """
    moved = engine.markers_moved(position, result)
    if not moved:
        return
    wizards = {seat.code: seat.wizard for seat in seats}
    Marker.objects.bulk_create(
        Marker(duel=duel, bears=wizards[event.subject], holder=wizards[event.wizard], won_at=now)
        for event in moved
        if isinstance(event, MarkerTaken)
    )
    dead = [wizards[event.wizard] for event in moved if isinstance(event, MarkersReturned)]
    # In one order, so that two duels that end at once do not wait for each other.
    held = Marker.objects.filter(holder__in=dead, returned_at=None).order_by("pk")
    given_back = list(held.select_for_update(no_key=True).values_list("pk", flat=True))
    Marker.objects.filter(pk__in=given_back).update(returned_at=now, returned_in=duel)
