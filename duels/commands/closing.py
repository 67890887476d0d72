"""Commands that close accounts: sign-in is blocked at once, and the rest follows in short steps.

Each step is a transaction that locks one duel. If the process is interrupted, a worker or the sweep
carries out the remaining steps. Repeating a step has no effect.
"""

import logging
import math
from datetime import datetime
from typing import Final

from django.db import transaction

from duels.clocks.budget import Budget
from duels.commands import callbacks
from duels.commands.error_isolation import run_for_each
from duels.commands.guests import delete_practice_duels
from duels.commands.leaving import give_up_seat, seats_in_unfinished_duels
from duels.commands.profiles import anonymise_wizard
from duels.commands.renaming import rename_in_duels
from duels.commands.sessions import end_sessions
from duels.delivery.nudging import TaskName, send_task_after_commit
from duels.errors import Refused
from duels.models import AccountClosing, Duel, Seat, User, Wizard
from duels.post.public import delete_silenced_addresses
from duels.push.public import delete_push_data

logger = logging.getLogger(__name__)

MAX_DELETED_AT_ONCE: Final = 10  # duels deleted in one transaction


@transaction.atomic
def begin_closing(*, user: User, now: datetime) -> AccountClosing | None:
    """Block sign-in for this user immediately, and start closing the account.

    Return None if no steps remain: the user was deleted earlier, or has no wizard and is deleted at
    once.
    """
    if User.objects.select_for_update(no_key=True).filter(pk=user.pk).first() is None:
        return None
    for callback in (*callbacks.before_account_closing, *callbacks.account_data_deletions):
        callback(user=user, now=now)
    User.objects.filter(pk=user.pk).update(is_active=False)
    end_sessions(user=user)
    wizard = Wizard.objects.filter(user_id=user.pk).first()
    if wizard is None:
        _delete_user(user)
        return None
    delete_push_data(wizard=wizard)
    closing, _ = AccountClosing.objects.get_or_create(
        user=user, wizard=wizard, defaults={"begun_at": now}
    )
    send_task_after_commit(TaskName.CLOSE_ACCOUNT, closing.pk)
    return closing


def continue_closing(*, closing_id: int, now: datetime, budget: Budget) -> bool:
    """Continue closing the account until the budget is spent. Return whether the account is closed.

    Delete practice duels, withdraw or decline challenges, and resign running duels. Then delete the
    user along with their email address, and replace the wizard's name in their duels with a neutral
    one.
    """
    closing = AccountClosing.objects.select_related("user", "wizard").filter(pk=closing_id).first()
    if closing is None:
        return True
    return (
        _delete_practice_duels(closing.wizard, budget)
        and _leave_duels(closing.wizard, now, budget)
        and _delete_user_and_closing(closing, now)
        and _replace_names(closing, budget)
    )


def close_account(*, user: User, now: datetime) -> None:
    """Close the account in one call, however long it takes. Meant for use in the shell."""
    closing = begin_closing(user=user, now=now)
    if closing is not None:
        continue_closing(closing_id=closing.pk, now=now, budget=Budget(math.inf))


def continue_closings(*, now: datetime, budget: Budget) -> tuple[int, int]:
    """Continue all interrupted closings. Return how many were finished, and how many failed."""
    ids = AccountClosing.objects.order_by("pk").values_list("pk", flat=True)
    return run_for_each(
        list(ids),
        lambda pk: continue_closing(closing_id=pk, now=now, budget=budget),
        budget,
        "Failed to close account",
    )


def _delete_practice_duels(wizard: Wizard, budget: Budget) -> bool:
    while not budget.is_spent:
        with transaction.atomic():
            if not delete_practice_duels(wizard, at_most=MAX_DELETED_AT_ONCE):
                return True
    return False


def _leave_duels(wizard: Wizard, now: datetime, budget: Budget) -> bool:
    """Leave all unfinished duels. Return whether the wizard has left them all."""
    is_out = True
    for seat in seats_in_unfinished_duels(wizard):
        if budget.is_spent:
            return False
        try:
            give_up_seat(seat, wizard, now)
        except Refused as refused:  # a later round may succeed
            logger.warning("The wizard cannot leave duel %s: %s", seat.duel_id, refused.code)
            is_out = False
    return is_out


@transaction.atomic
def _delete_user_and_closing(closing: AccountClosing, now: datetime) -> bool:
    rows = AccountClosing.objects.select_related("user").select_for_update(of=("self",))
    user = rows.get(pk=closing.pk).user
    if user is not None:
        # A referee may have given them another player's place since their duels were listed.
        Wizard.objects.select_for_update(of=("self",), no_key=True).get(pk=closing.wizard_id)
        if seats_in_unfinished_duels(closing.wizard):
            return False
        # Requests that arrived before sign-in was blocked may have stored data since.
        for delete in callbacks.account_data_deletions:
            delete(user=user, now=now)
        anonymise_wizard(closing.wizard, now)
        _delete_user(user)
    return True


def _delete_user(user: User) -> None:
    delete_silenced_addresses(user=user)
    User.objects.filter(pk=user.pk).delete()


def _replace_names(closing: AccountClosing, budget: Budget) -> bool:
    """Replace the name in all duels, then delete the `AccountClosing`, if the budget suffices.

    Return whether the `AccountClosing` was deleted.
    """
    theirs = Seat.objects.filter(wizard_id=closing.wizard_id, duel_id__gt=closing.renamed_up_to)
    for duel_id in theirs.order_by("duel_id").values_list("duel_id", flat=True):
        if budget.is_spent:
            return False
        with transaction.atomic():
            Duel.objects.select_for_update(of=("self",), no_key=True).get(pk=duel_id)
            rename_in_duels(Seat.objects.filter(wizard_id=closing.wizard_id, duel_id=duel_id))
            AccountClosing.objects.filter(pk=closing.pk).update(renamed_up_to=duel_id)
    AccountClosing.objects.filter(pk=closing.pk).delete()
    return True
