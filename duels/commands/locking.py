"""Locks. Whoever changes a duel or anything in it holds the duel's row first, then looks.

One row for the whole duel: two wizards who seal at once come one after the other, a resignation
never meets a turn half resolved, and since every command takes its locks in this order (duels by
id, where there are several; a guest, who may be gone the next moment, before their duels) none can
wait for another in a circle. The rows of a duel are read by a separate statement after the lock: in
the statement that waits for the lock, PostgreSQL would return everything except the duel's own row
as it was before the wait.
"""

from django.db.models import QuerySet

from duels.errors import Refused
from duels.loading import load_locked_turn, load_open_turn
from duels.models import Duel, DuelStatus, Seat, Wizard
from duels.open_turn import OpenTurn
from duels.poll_cache import mark_changed_on_commit

TURN_IS_VOID = (
    "A referee has rolled the duel back to before this turn: it is void. Look at the duel again."
)


def locked(duels: QuerySet[Duel], *, changes_page: bool = True) -> Duel | None:
    """The one duel of these, locked until the transaction ends. Its polls will learn of it, unless
    what is done does not change the page of anybody else."""
    # Rows that point to the duel may be written meanwhile: they need its key and nothing else.
    duel = duels.select_for_update(of=("self",), no_key=True).first()
    if duel is not None and changes_page:
        mark_changed_on_commit(duel.pk)
    return duel


def locked_duel(duel_id: int) -> Duel:
    """The duel, locked. Refuses when there is none."""
    duel = locked(Duel.objects.filter(pk=duel_id))
    if duel is None:
        raise Refused("no_such_duel", "There is no such duel.")
    return duel


def locked_turn(
    turn_id: int, *, draft_of: Wizard | None = None, changes_page: bool = True
) -> OpenTurn:
    """The turn as it stands with its duel locked, and one wizard's draft. Refuses without one."""
    turn = load_locked_turn(turn_id, draft_of=draft_of)
    if turn is None:
        raise Refused("no_such_turn", "There is no such turn.")
    if changes_page:
        mark_changed_on_commit(turn.duel.pk)
    if turn.row.voided_in:
        raise Refused("turn_void", TURN_IS_VOID)
    return turn


def open_turn_of(duel: Duel) -> OpenTurn:
    """The turn that is being played in a duel that runs. The duel is locked."""
    if duel.status != DuelStatus.RUNNING:
        raise Refused("duel_not_running", "This duel is not being played.")
    turn = load_open_turn(duel.pk)
    assert turn is not None, f"duel {duel.pk} runs, so one of its turns is open"
    return turn


def lock_wizard(wizard: Wizard) -> None:
    """Nobody deletes this guest or gives their duels away, or begins one beside this, meanwhile.

    Refuses a guest who has left. What points to the wizard, such as notices, may still be written.
    """
    if Wizard.objects.select_for_update(no_key=True).filter(pk=wizard.pk).first() is None:
        raise Refused("no_such_wizard", "This guest has left.")


def seat_of(duel: Duel, wizard: Wizard) -> Seat:
    """The wizard's seat. Refuses those who have none: it is not their duel."""
    seat = Seat.objects.filter(duel=duel, wizard=wizard).first()
    if seat is None:
        raise _not_theirs()
    seat.duel = duel
    return seat


def seat_in(turn: OpenTurn, wizard: Wizard) -> Seat:
    """The wizard's seat, as the turn holds it, and in it the wizard as they are now: a referee may
    have suspended them since the request began. Refuses those who have none."""
    seat = turn.seat_of(wizard)
    if seat is None:
        raise _not_theirs()
    return seat


def _not_theirs() -> Refused:
    return Refused("not_your_duel", "You are not one of the wizards of this duel.")
