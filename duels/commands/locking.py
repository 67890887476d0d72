"""Locks on duels and guests. Code that changes a duel locks the duel's row first, then reads.

This row's lock covers everything about the duel: if two wizards seal at the same time, one waits
for the other, and a resignation never reads a half-resolved turn. To avoid deadlocks, every command
takes its locks in the same order: the pairing of wizards, then a guest (who may be deleted at any
moment), then their duels, in the order of the ids. A duel's other rows are read by a separate
statement after the lock. The locking statement itself could return outdated rows, because
PostgreSQL rereads only the locked row after waiting.
"""

from datetime import datetime
from typing import Final

from django.db import connection
from django.db.models import QuerySet

from duels.caching.poll_cache import mark_duel_changed_on_commit
from duels.commands.suspensions import check_may_act
from duels.errors import Refused
from duels.loaded.loading import load_locked_turn, load_open_turn
from duels.loaded.open_turn import OpenTurn
from duels.models import Duel, DuelStatus, Seat, Wizard

LOCK_OF_PAIRING: Final = 0x70616972  # PostgreSQL's advisory lock
TURN_IS_VOID = (
    "This turn is void: a referee has rolled the duel back to before it. Reload the duel."
)


def lock_first_duel(duels: QuerySet[Duel], *, updates_polls: bool = True) -> Duel | None:
    """Return the first of these duels, locked until the transaction ends, or None.

    Mark the duel as changed, so that open pages reload it. Pass `updates_polls=False` if only the
    wizard's own page changes.
    """
    # With `no_key`, other transactions can still insert rows that refer to the duel.
    duel = duels.select_for_update(of=("self",), no_key=True).first()
    if duel is not None and updates_polls:
        mark_duel_changed_on_commit(duel.pk)
    return duel


def lock_duel(duel_id: int) -> Duel:
    """Return the duel, locked. Raise `Refused` if it does not exist."""
    duel = lock_first_duel(Duel.objects.filter(pk=duel_id))
    if duel is None:
        raise Refused("no_such_duel", "There is no such duel.")
    return duel


def lock_turn(
    turn_id: int, *, with_draft_of: Wizard | None = None, updates_polls: bool = True
) -> OpenTurn:
    """Lock the turn's duel, and return the turn with one wizard's draft.

    Raise `Refused` for a void turn.
    """
    turn = load_locked_turn(turn_id, with_draft_of=with_draft_of)
    if turn is None:
        raise Refused("no_such_turn", "There is no such turn.")
    if updates_polls:
        mark_duel_changed_on_commit(turn.duel.pk)
    if turn.row.voided_in:
        raise Refused("turn_void", TURN_IS_VOID)
    return turn


def open_turn_of(duel: Duel) -> OpenTurn:
    """Return the open turn of a locked, running duel. Raise `Refused` if it is not running."""
    if duel.status != DuelStatus.RUNNING:
        raise Refused("duel_not_running", "This duel is not running.")
    turn = load_open_turn(duel.pk)
    assert turn is not None, f"duel {duel.pk} runs, so one of its turns is open"
    return turn


def lock_guest(wizard: Wizard) -> None:
    if wizard.is_guest:
        lock_wizard(wizard)


def lock_wizard(wizard: Wizard) -> None:
    """Lock a guest, so that no other transaction can delete them, or move or start their duels.

    Raise `Refused` if the guest has been deleted. Other transactions can still insert rows that
    refer to the wizard, such as notices.
    """
    if Wizard.objects.select_for_update(no_key=True).filter(pk=wizard.pk).first() is None:
        raise Refused("no_such_wizard", "This guest has left.")


def lock_account(wizard: Wizard) -> None:
    """Lock a wizard in order to store their data. Raise `Refused` if their account is closed.

    Closing an account takes the same lock before it deletes their data for the last time.
    """
    rows = Wizard.objects.select_for_update(no_key=True)
    if rows.filter(pk=wizard.pk, closed_at=None).first() is None:
        raise Refused("account_closed", "This account is closed.")


def lock_pairing() -> None:
    """Lock the pairing of wizards who want to play anyone, until the transaction ends.

    This is an advisory lock, because there may be no row to lock yet. SQLite does not need it: it
    allows only one writer at a time.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK_OF_PAIRING])


def lock_turn_of_player(
    duel_id: int, wizard: Wizard, *, now: datetime | None = None
) -> tuple[OpenTurn, Seat]:
    """Lock the duel. Return its open turn, and the seat of this wizard, who is still playing.

    If `now` is given, raise `Refused` if the wizard is suspended.
    """
    duel = lock_duel(duel_id)
    seat_of(duel, wizard)
    if now is not None:
        check_may_act(wizard, now)
    turn = open_turn_of(duel)
    seat = loaded_seat_of(turn, wizard)
    if not seat.is_playing:
        raise Refused("out_of_it", "You are already out of this duel.")
    return turn, seat


def seat_of(duel: Duel, wizard: Wizard) -> Seat:
    """Return the wizard's seat. Raise `Refused` if the wizard is not in the duel."""
    seat = Seat.objects.filter(duel=duel, wizard=wizard).first()
    if seat is None:
        raise _not_your_duel_refusal()
    seat.duel = duel
    return seat


def loaded_seat_of(turn: OpenTurn, wizard: Wizard) -> Seat:
    """Return the wizard's seat as loaded with this turn, whose wizard is up to date.

    A referee may have suspended the wizard since the request began. Raise `Refused` if the wizard
    is not in the duel.
    """
    seat = turn.seat_of(wizard)
    if seat is None:
        raise _not_your_duel_refusal()
    return seat


def _not_your_duel_refusal() -> Refused:
    return Refused("not_your_duel", "You are not in this duel.")
