"""The outbox: rows queued for people are claimed, sent and marked by the first worker that comes.

Every row is eventually sent, abandoned, or dropped for a reason, even if workers die at any step.
If a worker dies after a message was accepted and before its row is marked, a second copy is sent,
or the row counts as probably sent if the message is no longer wanted by then. A claim has the time
when it was made, even in a long round, and only its holder marks the row.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from duels.budget import Budget
from duels.models import FINISHED, OutboxRow, OutboxStatus

Row = TypeVar("Row", bound=OutboxRow)

# One minute, then twice as long each time, up to six hours.
FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=6)
MOST_DOUBLINGS = 10  # after these, every pause is the longest one
STUCK_AFTER = timedelta(minutes=10)  # much longer than a task that sends may take
ROUND_SECONDS = 50  # a round is called every minute
PRUNED_AT_ONCE = 1_000


@dataclass(frozen=True)
class Round:
    """The result of a round."""

    requeued: int
    sent: int
    pruned: int

    def __str__(self) -> str:
        return f"requeued {self.requeued}, sent {self.sent}, pruned {self.pruned}"


@dataclass(frozen=True)
class FailedAttempt:
    """A failed attempt: its number for the row, and whether it was the last."""

    attempts: int
    is_given_up: bool

    def __str__(self) -> str:
        return f"attempt {self.attempts}{', given up' if self.is_given_up else ''}"


def claim_one(rows: QuerySet[Row], row_id: int, now: datetime) -> bool:
    """Claim this row if it is queued and due. Return whether the caller must send it."""
    queued = rows.filter(pk=row_id, status=OutboxStatus.QUEUED, due_at__lte=now)
    return queued.update(status=OutboxStatus.SENDING, claimed_at=now) == 1


@transaction.atomic
def claim(together: QuerySet[Row], row_id: int, now: datetime) -> list[int]:
    """Claim these rows, which the caller then sends in one message. Return their primary keys.

    Return none if row `row_id` is not among them, not queued or not due.
    """
    # Lock in a fixed order: the second of two workers finds all rows claimed.
    queued = together.filter(status=OutboxStatus.QUEUED).order_by("pk").select_for_update()
    found = dict(queued.values_list("pk", "due_at"))
    if row_id not in found or found[row_id] > now:
        return []
    together.model._default_manager.filter(pk__in=found).update(
        status=OutboxStatus.SENDING, claimed_at=now
    )
    return sorted(found)


def mark(rows: Sequence[OutboxRow], status: OutboxStatus, **changes: Any) -> None:
    """Set the status of rows that the caller has claimed, unless it has lost the claim meanwhile.

    Another worker may have taken over a claim that seemed dead.
    """
    for row in rows:
        ours = type(row)._default_manager.filter(
            pk=row.pk, status=OutboxStatus.SENDING, claimed_at=row.claimed_at
        )
        ours.update(status=status, **changes)


def mark_sent(rows: Sequence[OutboxRow], now: datetime) -> None:
    """Mark these rows as sent, including those that another worker has claimed since."""
    for row in rows:
        type(row)._default_manager.filter(pk=row.pk).update(
            status=OutboxStatus.SENT, sent_at=now, last_error=""
        )


def retry_later(
    row: OutboxRow,
    error: str,
    now: datetime,
    *,
    most_attempts: int | None,
    pause: timedelta = timedelta(0),
    longest_pause: timedelta = LONGEST_PAUSE,
) -> FailedAttempt:
    """Schedule a claimed row to be tried again, or abandon it after `most_attempts` (None: never).

    The next attempt is at least `pause` away, and at most `longest_pause`.
    """
    attempts = row.attempts + 1
    failure = FailedAttempt(attempts, most_attempts is not None and attempts >= most_attempts)
    status = OutboxStatus.FAILED if failure.is_given_up else OutboxStatus.QUEUED
    doubled = FIRST_PAUSE * 2 ** min(row.attempts, MOST_DOUBLINGS)
    pause = min(max(doubled, pause), longest_pause)
    mark([row], status, attempts=failure.attempts, last_error=error, due_at=now + pause)
    return failure


def requeue_stuck(rows: QuerySet[Row], now: datetime) -> int:
    """Queue rows again whose worker must have died after claiming them. Return how many."""
    stuck = rows.filter(status=OutboxStatus.SENDING, claimed_at__lte=now - STUCK_AFTER)
    return stuck.update(status=OutboxStatus.QUEUED, due_at=now, was_interrupted=True)


def due(rows: QuerySet[Row], clock: Callable[[], datetime], budget: Budget) -> Iterator[int]:
    """Yield the primary keys of due rows, the oldest first, until the budget is spent."""
    waiting = rows.filter(status=OutboxStatus.QUEUED, due_at__lte=clock())
    for row_id in waiting.order_by("due_at").values_list("pk", flat=True):
        if budget.is_spent:
            return
        yield row_id


def oldest_kept(now: datetime) -> datetime:
    """Return the age limit: finished rows written before it are deleted."""
    return now - timedelta(days=settings.NOTICES_KEPT_DAYS)


def prune(rows: QuerySet[Row], now: datetime) -> int:
    """Delete old finished rows, at most one batch. Return how many."""
    done = rows.filter(status__in=FINISHED)
    old = done.filter(created_at__lt=oldest_kept(now)).order_by("created_at")
    found = list(old.values_list("pk", flat=True)[:PRUNED_AT_ONCE])
    return done.filter(pk__in=found).delete()[0] if found else 0
