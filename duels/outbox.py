"""How what is queued for people is sent: claimed, sent and marked, by whoever comes first.

What is promised of every row: it is sent, given up, or dropped for a reason, though workers die at
any step. One that dies after a message was taken and before that is marked leaves a second copy to
be sent. A claim is of the moment it is made in, however long ago a round began, and only who holds
it marks the row.
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

# A minute, then twice as long each time, at most six hours.
FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=6)
STUCK_AFTER = timedelta(minutes=10)  # far longer than a task that sends may take
ROUND_SECONDS = 50  # a round is called every minute
PRUNED_AT_ONCE = 1_000


@dataclass(frozen=True)
class Round:
    """What a round has done."""

    requeued: int
    sent: int
    pruned: int

    def __str__(self) -> str:
        return f"queued again {self.requeued}, sent {self.sent}, pruned {self.pruned}"


@dataclass(frozen=True)
class PutOff:
    """A failed attempt, the how many-th of its row, and whether there will be no other."""

    attempts: int
    is_given_up: bool

    def __str__(self) -> str:
        return f"attempt {self.attempts}{' and given up' if self.is_given_up else ''}"


def claim_one(rows: QuerySet[Row], row_id: int, now: datetime) -> bool:
    """Claim this row if it is queued and due. Return whether it is ours to send from now on."""
    queued = rows.filter(pk=row_id, status=OutboxStatus.QUEUED, due_at__lte=now)
    return queued.update(status=OutboxStatus.SENDING, claimed_at=now) == 1


@transaction.atomic
def claim(together: QuerySet[Row], row_id: int, now: datetime) -> list[int]:
    """The primary keys of these rows, which are ours to send from now on, all of them in one
    message; none where row `row_id` is not queued among them, or not due."""
    # Locked in one order: of two workers the second finds that all of them are claimed.
    queued = together.filter(status=OutboxStatus.QUEUED).order_by("pk").select_for_update()
    found = dict(queued.values_list("pk", "due_at"))
    if row_id not in found or found[row_id] > now:
        return []
    together.model._default_manager.filter(pk__in=found).update(
        status=OutboxStatus.SENDING, claimed_at=now
    )
    return sorted(found)


def mark(rows: Sequence[OutboxRow], status: OutboxStatus, **changes: Any) -> None:
    """What has become of rows that we have claimed, where the claim is still ours: it may have
    been taken for dead."""
    for row in rows:
        ours = type(row)._default_manager.filter(
            pk=row.pk, status=OutboxStatus.SENDING, claimed_at=row.claimed_at
        )
        ours.update(status=status, **changes)


def mark_sent(rows: Sequence[OutboxRow], now: datetime) -> None:
    """Whoever holds them by now need not send them again."""
    for row in rows:
        type(row)._default_manager.filter(pk=row.pk).update(
            status=OutboxStatus.SENT, sent_at=now, last_error=""
        )


def put_off(
    row: OutboxRow,
    error: str,
    now: datetime,
    *,
    most_attempts: int,
    pause: timedelta = timedelta(0),
) -> PutOff:
    """A claimed row is tried again later, not before that `pause`, or given up after so many
    attempts."""
    failure = PutOff(row.attempts + 1, row.attempts + 1 >= most_attempts)
    status = OutboxStatus.FAILED if failure.is_given_up else OutboxStatus.QUEUED
    pause = min(max(FIRST_PAUSE * 2**row.attempts, pause), LONGEST_PAUSE)
    mark([row], status, attempts=failure.attempts, last_error=error, due_at=now + pause)
    return failure


def requeue_stuck(rows: QuerySet[Row], now: datetime) -> int:
    """Queue again what was claimed long ago by a worker that must have died. How many."""
    stuck = rows.filter(status=OutboxStatus.SENDING, claimed_at__lte=now - STUCK_AFTER)
    return stuck.update(status=OutboxStatus.QUEUED, due_at=now)


def due(rows: QuerySet[Row], clock: Callable[[], datetime], budget: Budget) -> Iterator[int]:
    """The primary keys of what is due, what has waited longest first, until the budget is spent."""
    waiting = rows.filter(status=OutboxStatus.QUEUED, due_at__lte=clock())
    for row_id in waiting.order_by("due_at").values_list("pk", flat=True):
        if budget.is_spent:
            return
        yield row_id


def oldest_kept(now: datetime) -> datetime:
    """What was written before is deleted when nothing happens with it any more."""
    return now - timedelta(days=settings.NOTICES_KEPT_DAYS)


def prune(rows: QuerySet[Row], now: datetime) -> int:
    """Rows that are long done with are gone, not more than a batch at once. How many."""
    done = rows.filter(status__in=FINISHED)
    old = done.filter(created_at__lt=oldest_kept(now)).order_by("created_at")
    found = list(old.values_list("pk", flat=True)[:PRUNED_AT_ONCE])
    return done.filter(pk__in=found).delete()[0] if found else 0
