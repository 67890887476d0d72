"""Markers, which change hands in the transaction that ends a duel. rules: R114, R178"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import engine.play
from duels.models import Duel, Marker, Seat, WizardKind
from engine.play import MarkersReturned, MarkerTaken


def move_markers(
    duel: Duel, seats: Sequence[Seat], position: engine.play.Position, result: str, now: datetime
) -> None:
    """Record the markers that change hands when the duel ends.

    Repeating this has no effect: a duel cannot have two markers with the same name.
    """
    moved = engine.play.marker_events(position, result)
    # Guests have no markers to lose, so that nobody can win markers by creating guests.
    if not moved or any(seat.wizard.kind == WizardKind.GUEST for seat in seats):
        return
    wizards = {seat.code: seat.wizard for seat in seats}
    Marker.objects.bulk_create(
        Marker(duel=duel, bears=wizards[event.subject], holder=wizards[event.wizard], won_at=now)
        for event in moved
        if isinstance(event, MarkerTaken)
    )
    dead = [wizards[event.wizard] for event in moved if isinstance(event, MarkersReturned)]
    # Lock in a fixed order, so that two duels that end at the same time do not deadlock.
    held = Marker.objects.filter(holder__in=dead, returned_at=None).order_by("pk")
    given_back = list(held.select_for_update(no_key=True).values_list("pk", flat=True))
    Marker.objects.filter(pk__in=given_back).update(returned_at=now, returned_in=duel)


@dataclass(frozen=True)
class MarkersTakenBack:
    """Wizards whose markers from the end of a duel were taken back.

    `of` are the wizards whose markers had been taken, and `given_to` those who hold markers again.
    """

    of: tuple[int, ...]
    given_to: tuple[int, ...]


def take_back_markers(duel: Duel) -> MarkersTakenBack:
    """Undo the changes of markers that were made when the duel ended, if any.

    Wizards who lost markers by dying in the duel hold them again, unless they have died since.
    """
    taken = list(Marker.objects.filter(duel=duel).order_by("pk").select_for_update())
    returned = list(Marker.objects.filter(returned_in=duel).order_by("pk").select_for_update())
    for marker in returned:
        gone = Marker.objects.filter(holder=marker.holder_id, returned_at__gt=marker.returned_at)
        later = gone.exclude(returned_in=duel).order_by("returned_at").first()
        marker.returned_at = later.returned_at if later else None
        marker.returned_in = later.returned_in if later else None
    Marker.objects.bulk_update(returned, ["returned_at", "returned_in"])
    Marker.objects.filter(pk__in=[marker.pk for marker in taken]).delete()
    return MarkersTakenBack(
        of=tuple(sorted(marker.bears_id for marker in taken)),
        given_to=tuple(sorted({marker.holder_id for marker in returned})),
    )
