"""Locks. Whoever changes a duel or anything in it holds the duel's row first, then looks.

One row for the whole duel: two wizards who seal at once come one after the other, a resignation
never meets a turn half resolved, and since every command takes its locks in this order (duels by
id, where there are several) none can wait for another in a circle.
"""

from django.db.models import QuerySet

from duels.errors import Refused
from duels.models import OPEN_STAGES, Duel, DuelStatus, Seat, Turn, Wizard


def locked(duels: QuerySet[Duel]) -> Duel | None:
    """The one duel of these, locked until the transaction ends."""
    # Rows that point to the duel may be written meanwhile: they need its key and nothing else.
    return duels.select_for_update(of=("self",), no_key=True).first()


def locked_duel(duel_id: int) -> Duel:
    """The duel, locked. Refuses when there is none."""
    duel = locked(Duel.objects.filter(pk=duel_id))
    if duel is None:
        raise Refused("no_such_duel", "There is no such duel.")
    return duel


def locked_turn(turn_id: int) -> Turn:
    """The turn, its duel locked. Refuses when there is none."""
    duel = locked(Duel.objects.filter(turns__id=turn_id).order_by())
    if duel is None:
        raise Refused("no_such_turn", "There is no such turn.")
    turn = Turn.objects.get(pk=turn_id)
    turn.duel = duel
    return turn


def open_turn_of(duel: Duel) -> Turn:
    """The turn that is being played in a duel that runs."""
    if duel.status != DuelStatus.RUNNING:
        raise Refused("duel_not_running", "This duel is not being played.")
    turn = Turn.objects.get(duel=duel, stage__in=OPEN_STAGES)
    turn.duel = duel
    return turn


def seat_of(duel: Duel, wizard: Wizard) -> Seat:
    """The wizard's seat. Refuses those who have none: it is not their duel."""
    seat = Seat.objects.filter(duel=duel, wizard=wizard).first()
    if seat is None:
        raise Refused("not_your_duel", "You are not one of the wizards of this duel.")
    seat.duel = duel
    return seat
