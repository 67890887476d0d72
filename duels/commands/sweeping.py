"""The sweep, which does all due work, including work that was missed because a task was lost. It
can run at any time.

Emails are sent by separate tasks (`duels.post`), so that turns do not wait for a mail server.
"""

import logging
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from duels.clocks.budget import Budget
from duels.commands.challenges import expire_challenges
from duels.commands.closing import continue_closings
from duels.commands.deadlines import DeadlineCounts, process_due_deadlines
from duels.commands.guests import delete_expired_guests
from duels.commands.practising import play_waiting_opponents
from duels.commands.process_check import lacks_site_key
from duels.commands.release_check import update_held_duels
from duels.commands.resolution import end_outdated_alarms, resolve_turn
from duels.commands.sessions import delete_expired_sessions
from duels.commands.sign_ups import delete_expired_sign_ups
from duels.commands.submitting import delete_old_submissions
from duels.commands.time_keeping import end_pauses
from duels.commands.vacations import correct_vacation_clocks, end_vacations
from duels.errors import ResolutionFailed
from duels.models import MAX_SWEEP_GAP, OPEN_STAGES, DuelStatus, LastSweep, Outage, Seat, Turn

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 50  # sweeps run once per minute


@dataclass(frozen=True)
class SweepResult:
    """Counts of what one sweep has done."""

    resolved: int
    failed: int
    expired: int
    practised: int = 0
    forgotten: int = 0
    vacations_ended: int = 0
    deadlines: DeadlineCounts = field(default_factory=DeadlineCounts)

    def __str__(self) -> str:
        return (
            f"turns resolved {self.resolved}, failed {self.failed}; challenges expired "
            f"{self.expired}; practice turns {self.practised}, guests deleted {self.forgotten}; "
            f"vacations ended {self.vacations_ended}, "
            f"reminders {self.deadlines.reminders}, extensions {self.deadlines.excuses}, "
            f"default orders {self.deadlines.defaults}, duels ended by time {self.deadlines.ended}"
        )


def sweep(*, now: datetime, budget: Budget | None = None) -> SweepResult:
    """Process deadlines, resolve complete turns, and close or delete expired rows.

    After an outage, players get back the time during which the site was down. The sweep also seals
    for the practice opponent and deletes expired guests. Players' turns are processed first. If the
    budget runs out, the next sweep continues.
    """
    if lacks_site_key(now):
        return SweepResult(resolved=0, failed=0, expired=0)
    budget = budget or Budget(SWEEP_SECONDS)
    outage = _record_sweep(now)
    _, failed_holds = update_held_duels(now=now, budget=budget)
    vacations_ended, failed_vacations = end_vacations(now=now, budget=budget)
    _, failed_clocks = correct_vacation_clocks(now=now, budget=budget)
    counts, failed_duels = process_due_deadlines(now=now, budget=budget, outage=outage)
    resolved, failed = _resolve_complete_turns(now, budget)
    end_outdated_alarms(now)
    expired, failed_challenges = expire_challenges(now=now, budget=budget)
    _, failed_pauses = end_pauses(now=now, budget=budget)
    practised = play_waiting_opponents(now=now, budget=budget)
    forgotten = delete_expired_guests(now=now, budget=budget)
    delete_expired_sign_ups(now=now)
    delete_old_submissions(now=now)
    _, failed_closings = continue_closings(now=now, budget=budget)
    delete_expired_sessions(now=now)
    return SweepResult(
        resolved=resolved,
        failed=sum(
            [
                failed,
                failed_duels,
                failed_vacations,
                failed_clocks,
                failed_challenges,
                failed_pauses,
                failed_holds,
                failed_closings,
            ]
        ),
        expired=expired,
        practised=practised,
        forgotten=forgotten,
        vacations_ended=vacations_ended,
        deadlines=counts,
    )


def _record_sweep(now: datetime) -> Outage | None:
    """Record this sweep. Return the last outage, a long time without sweeps, or None.

    If the site goes down again before sweeps have given back the time lost in an outage, both count
    as one outage.
    """
    last, is_first = LastSweep.objects.get_or_create(pk=1, defaults={"began_at": now})
    if not is_first and last.began_at != now:
        if now - last.began_at > MAX_SWEEP_GAP:
            if last.outage is None or not _has_lost_time(last.outage):
                last.outage_since = last.began_at
            last.outage_until = now
            logger.warning("No sweep has run since %s: the lost time is given back", last.began_at)
        last.began_at = now
        last.save()
    return last.outage


def _has_lost_time(outage: Outage) -> bool:
    """Return whether a deadline that passed during the outage has not been processed yet."""
    awaited = Seat.objects.filter(awaited=True, duel__status=DuelStatus.RUNNING)
    return awaited.filter(due_at__range=outage).exists()


def complete_turns() -> QuerySet[Turn]:
    """Return the open turns that a worker can resolve because all wizards have sealed."""
    awaited = Seat.objects.filter(duel=OuterRef("duel"), awaited=True)
    return Turn.objects.filter(
        ~Exists(awaited),
        stage__in=OPEN_STAGES,
        duel__status=DuelStatus.RUNNING,
        duel__halted_at=None,
        duel__stopped_at=None,
        duel__held_at=None,
    )


def _resolve_complete_turns(now: datetime, budget: Budget) -> tuple[int, int]:
    resolved = failed = 0
    for turn_id in complete_turns().order_by("opened_at").values_list("pk", flat=True):
        if budget.is_spent:
            break
        try:
            resolved += resolve_turn(turn_id=turn_id, now=now)
        except ResolutionFailed:
            failed += 1  # already logged
    return resolved, failed
