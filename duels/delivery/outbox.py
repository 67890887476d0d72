"""The outbox: functions with which workers claim queued messages, send them and mark them as sent.

Every message is eventually sent, abandoned, or dropped for a reason, even if a worker dies at any
step. If a worker dies after a server has accepted a message but before the row is marked, a second
copy is sent. If nobody wants the message any longer, the row counts as probably sent instead. A
claim contains its time, and only the worker that still holds the claim updates the row.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from duels.clocks.budget import Budget
from duels.models import FINISHED_STATUSES, OutboxRow, OutboxStatus

Row = TypeVar("Row", bound=OutboxRow)

# The pause before another attempt doubles each time, up to `MAX_RETRY_PAUSE`.
FIRST_RETRY_PAUSE = timedelta(minutes=1)
MAX_RETRY_PAUSE = timedelta(hours=6)
MAX_DOUBLINGS = 10  # keeps the power of two small
STUCK_AFTER = timedelta(minutes=10)  # much longer than the time limit of tasks that send
MAX_ROUND_SECONDS = 50  # rounds start every minute
DELETION_BATCH = 1_000


@dataclass(frozen=True)
class RoundCounts:
    """Counts of rows requeued, sent and deleted in one round."""

    requeued: int
    sent: int
    pruned: int

    def __str__(self) -> str:
        return f"requeued {self.requeued}, sent {self.sent}, pruned {self.pruned}"


@dataclass(frozen=True)
class FailedAttempt:
    """A failed attempt to send a row: its number, and whether it was the last attempt."""

    attempts: int
    is_given_up: bool

    def __str__(self) -> str:
        return f"attempt {self.attempts}{', no more attempts' if self.is_given_up else ''}"


@dataclass(frozen=True)
class Send:
    """A decision to send a message now."""


@dataclass(frozen=True)
class Wait:
    """A decision to decide again at this time. `daily_at` is the time of a daily email, if any."""

    until: datetime
    daily_at: datetime | None = None


@dataclass(frozen=True)
class Skip:
    """A decision not to send a message, with the reason."""

    why: str


DeliveryDecision = Send | Wait | Skip


def claim_row(rows: QuerySet[Row], row_id: int, now: datetime) -> bool:
    """Claim this row if it is queued and due. Return whether the caller must send it."""
    queued = rows.filter(pk=row_id, status=OutboxStatus.QUEUED, due_at__lte=now)
    return queued.update(status=OutboxStatus.SENDING, claimed_at=now) == 1


@transaction.atomic
def claim_rows(rows: QuerySet[Row], row_id: int, now: datetime) -> list[int]:
    """Claim these rows, which the caller must then send in one message. Return their primary keys.

    Claim none of them if row `row_id` is not one of them, is not queued or is not due.
    """
    # Lock in a fixed order, so that a second worker waits and then finds that all rows are claimed.
    queued = rows.filter(status=OutboxStatus.QUEUED).order_by("pk").select_for_update()
    found = dict(queued.values_list("pk", "due_at"))
    if row_id not in found or found[row_id] > now:
        return []
    rows.model._default_manager.filter(pk__in=found).update(
        status=OutboxStatus.SENDING, claimed_at=now
    )
    return sorted(found)


def set_status(rows: Sequence[OutboxRow], status: OutboxStatus, **changes: Any) -> None:
    """Set the status of rows that the caller has claimed, unless it has lost the claim.

    This happens if the caller took too long.
    """
    for row in rows:
        ours = type(row)._default_manager.filter(
            pk=row.pk, status=OutboxStatus.SENDING, claimed_at=row.claimed_at
        )
        ours.update(status=status, **changes)


def mark_sent(rows: Sequence[OutboxRow], now: datetime) -> None:
    """Mark these rows as sent, even those that another worker has claimed since."""
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
    longest_pause: timedelta = MAX_RETRY_PAUSE,
) -> FailedAttempt:
    """Schedule another attempt for a claimed row, or abandon it after the last one.

    `most_attempts` is None if no attempt is the last. The pause before the next attempt is at
    least `pause` and at most `longest_pause`.
    """
    attempts = row.attempts + 1
    failure = FailedAttempt(attempts, most_attempts is not None and attempts >= most_attempts)
    status = OutboxStatus.FAILED if failure.is_given_up else OutboxStatus.QUEUED
    doubled = FIRST_RETRY_PAUSE * 2 ** min(row.attempts, MAX_DOUBLINGS)
    pause = min(max(doubled, pause), longest_pause)
    set_status([row], status, attempts=failure.attempts, last_error=error, due_at=now + pause)
    return failure


def requeue_stuck(rows: QuerySet[Row], now: datetime) -> int:
    """Requeue rows whose worker must have died by now. Return the number requeued."""
    stuck = rows.filter(status=OutboxStatus.SENDING, claimed_at__lte=now - STUCK_AFTER)
    return stuck.update(status=OutboxStatus.QUEUED, due_at=now, was_interrupted=True)


def due_row_ids(
    rows: QuerySet[Row], clock: Callable[[], datetime], budget: Budget
) -> Iterator[int]:
    """Yield the primary keys of due rows, oldest first, until the budget is spent."""
    waiting = rows.filter(status=OutboxStatus.QUEUED, due_at__lte=clock())
    for row_id in waiting.order_by("due_at", "pk").values_list("pk", flat=True):
        if budget.is_spent:
            return
        yield row_id


def oldest_kept_moment(now: datetime) -> datetime:
    """Return the oldest creation time of finished rows that are still kept."""
    return now - timedelta(days=settings.NOTICES_KEPT_DAYS)


def delete_old_rows(rows: QuerySet[Row], now: datetime) -> int:
    """Delete a batch of old finished rows. Return the number deleted."""
    done = rows.filter(status__in=FINISHED_STATUSES)
    old = done.filter(created_at__lt=oldest_kept_moment(now)).order_by("created_at")
    found = list(old.values_list("pk", flat=True)[:DELETION_BATCH])
    return done.filter(pk__in=found).delete()[0] if found else 0
