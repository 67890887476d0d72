"""Commands that start and end vacations. The sweep ends vacations that have expired.

During a vacation, the wizard's clocks are stopped in all slow-paced duels, and the opponents in
these duels are notified. Nothing about sealed orders is revealed, and the wizard may still seal.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial

from django.db import transaction

from duels.clocks.budget import Budget
from duels.clocks.clock import Pace
from duels.clocks.vacation import (
    InvalidVacation,
    Savings,
    Vacation,
    savings_after_end,
    savings_after_start,
)
from duels.commands.awaiting import update_clocks
from duels.commands.error_isolation import run_for_each
from duels.commands.locking import loaded_seat_of, lock_first_duel, open_turn_of
from duels.commands.suspensions import check_may_act
from duels.errors import Refused
from duels.loaded.open_turn import OpenTurn
from duels.models import Duel, DuelStatus, Seat, Wizard, WizardKind
from duels.post.kinds.returned import Returned
from duels.post.kinds.vacation import OnVacation
from duels.post.public import NoticeKind, notify


@transaction.atomic
def start_vacation(*, wizard: Wizard, until: datetime, now: datetime) -> Wizard:
    """Start a vacation that ends at this time, which uses up saved days.

    The wizard's clocks stop in every duel with a pace of a day or more per turn, and the opponents
    there are notified. Starting the same vacation again has no effect.
    """
    duels = _lock_slow_duels(wizard.pk)
    row = _lock_wizard_row(wizard.pk)
    check_may_act(row, now)
    if row.kind != WizardKind.PLAYER or row.user_id is None:
        raise Refused("players_only", "Only players with an account can take a vacation.")
    if row.vacation is not None:
        if row.vacation.ends_at == until:
            return row
        raise Refused("on_vacation", "You are already on vacation. End that vacation first.")
    vacation = Vacation(now, until)
    try:
        savings = savings_after_start(row.savings, vacation)
    except InvalidVacation as error:
        raise Refused(error.code, error.text, field="until") from None
    _store_vacation(row, vacation, savings)
    for turn in _update_all_clocks(duels, now):
        _notify_opponents(OnVacation, turn, row, vacation, now)
    return row


def end_vacation(*, wizard: Wizard, now: datetime) -> bool:
    """End the vacation, resume clocks and give back unused days. Return whether this call did."""
    return _end_vacation(wizard.pk, now=now)


def end_vacations(*, now: datetime, budget: Budget) -> tuple[int, int]:
    """End vacations that have expired. Return how many were ended, and how many failed."""
    due = Wizard.objects.filter(vacation_ends_at__lte=now).order_by("vacation_ends_at")
    found = due.values_list("pk", flat=True)
    end = partial(_end_vacation, now=now, only_if_due=True)
    return run_for_each(found, end, budget, "Failed to end vacation of wizard")


def correct_vacation_clocks(*, now: datetime, budget: Budget) -> tuple[int, int]:
    """Stop or resume clocks that do not yet reflect the start or end of a vacation.

    This corrects duels that began at the very moment when a vacation started or ended. Return how
    many duels were corrected, and how many failed.
    """
    waiting = Seat.objects.filter(awaited=True, duel__status=DuelStatus.RUNNING).order_by()
    # Use a list of ids: with a subquery, SQLite would read all running clocks.
    on_vacation = Wizard.objects.filter(vacation_ends_at__isnull=False).order_by()
    away = list(on_vacation.values_list("pk", flat=True))
    standing = waiting.filter(
        clock_left__isnull=False,
        duel__paused_at__isnull=True,
        duel__halted_at__isnull=True,
        duel__stopped_at__isnull=True,
        duel__held_at__isnull=True,
        wizard__vacation_ends_at__isnull=True,
    )
    stray = set(standing.values_list("duel", flat=True))
    running = waiting.filter(due_at__isnull=False, wizard__in=away)
    for duel_id, paused_at, pace in running.values_list("duel", "duel__paused_at", "duel__pace"):
        if paused_at is not None or Pace.parse(pace).is_slow:
            stray.add(duel_id)
    settle = partial(_correct_vacation_clocks_of, now=now)
    return run_for_each(sorted(stray), settle, budget, "Failed to correct clocks of duel")


@transaction.atomic
def _correct_vacation_clocks_of(duel_id: int, *, now: datetime) -> bool:
    return bool(_update_all_clocks(_lock_running_duels([duel_id]), now))


@transaction.atomic
def _end_vacation(wizard_id: int, *, now: datetime, only_if_due: bool = False) -> bool:
    duels = _lock_slow_duels(wizard_id)
    row = _lock_wizard_row(wizard_id)
    if row.vacation is None or (only_if_due and row.vacation.ends_at > now):
        return False
    vacation = row.vacation
    _store_vacation(row, None, savings_after_end(row.savings, vacation, now))
    for turn in _update_all_clocks(duels, now):
        if now < vacation.ends_at:
            details = {"until": vacation.ends_at.isoformat()}
            _notify_opponents(Returned, turn, row, vacation, now, details)
    return True


def _store_vacation(row: Wizard, vacation: Vacation | None, savings: Savings) -> None:
    row.vacation_saved, row.vacation_counted_at = savings.saved, savings.counted_at
    row.vacation_began_at = vacation.began_at if vacation else None
    row.vacation_ends_at = vacation.ends_at if vacation else None
    columns = ("saved", "counted_at", "began_at", "ends_at")
    row.save(update_fields=[f"vacation_{column}" for column in columns])


def _update_all_clocks(duels: Sequence[Duel], now: datetime) -> list[OpenTurn]:
    """Stop or resume the clocks of these duels. Return the duels' open turns."""
    turns = [open_turn_of(duel) for duel in duels]
    for turn in turns:
        update_clocks(turn, now)
    return turns


def _notify_opponents(
    kind: type[NoticeKind],
    turn: OpenTurn,
    wizard: Wizard,
    vacation: Vacation,
    now: datetime,
    details: Mapping[str, str] | None = None,
) -> None:
    """Notify the opponents of a wizard who is still in the duel, once for each vacation."""
    if not loaded_seat_of(turn, wizard).is_playing:
        return
    others = (seat for seat in turn.seats if seat.wizard_id != wizard.pk)
    readers = [other.wizard for other in others if other.is_playing]
    moment = int(vacation.began_at.timestamp() * 1_000_000)
    occasion = f"of {wizard.pk} at {moment} in {turn.duel.pk}"
    notify(kind, readers, turn.duel, now, about=wizard, occasion=occasion, details=details)


def _lock_wizard_row(wizard_id: int) -> Wizard:
    """Return the wizard, locked, so that vacations cannot start or end twice. The caller must
    already have locked the duels."""
    return Wizard.objects.select_for_update(no_key=True).get(pk=wizard_id)


def _lock_slow_duels(wizard_id: int) -> list[Duel]:
    """Return the wizard's running slow-paced duels, locked in the usual order."""
    seats = Seat.objects.filter(wizard=wizard_id, duel__status=DuelStatus.RUNNING)
    found = seats.order_by("duel").values_list("duel", "duel__pace")
    return _lock_running_duels([duel_id for duel_id, pace in found if Pace.parse(pace).is_slow])


def _lock_running_duels(duel_ids: Sequence[int]) -> list[Duel]:
    duels = [lock_first_duel(Duel.objects.filter(pk=duel_id)) for duel_id in duel_ids]
    return [duel for duel in duels if duel is not None and duel.status == DuelStatus.RUNNING]
