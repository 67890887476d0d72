"""The sweep: it finds what nudges have missed. Safe to run at any time, as often as one likes."""

from dataclasses import dataclass
from datetime import datetime

from duels.commands.challenges import expire_challenges
from duels.commands.guests import forget_guests
from duels.commands.notices import deliver_due, requeue_stuck
from duels.commands.practising import practise_awaited
from duels.commands.resolution import resolve_turn
from duels.errors import ResolutionFailed
from duels.models import OPEN_STAGES, DuelStatus, Turn


@dataclass(frozen=True)
class Swept:
    """What a sweep has done."""

    resolved: int
    failed: int
    expired: int
    requeued: int
    sent: int
    practised: int = 0
    forgotten: int = 0

    def __str__(self) -> str:
        return (
            f"turns resolved {self.resolved}, failed {self.failed}; challenges expired "
            f"{self.expired}; mails queued again {self.requeued}, sent {self.sent}; "
            f"practice turns {self.practised}, guests forgotten {self.forgotten}"
        )


def sweep(*, now: datetime) -> Swept:
    """Whatever is complete is resolved, what has expired is closed, what is due is sent.

    The practice opponent does what waits for him, and guests whose time is up are forgotten.
    """
    practised = practise_awaited(now=now)
    resolved, failed = _resolve_complete(now)
    expired = expire_challenges(now=now)
    requeued = requeue_stuck(now=now)
    sent = deliver_due(now=now)
    forgotten = forget_guests(now=now)
    return Swept(resolved, failed, expired, requeued, sent, practised, forgotten)


def _resolve_complete(now: datetime) -> tuple[int, int]:
    complete = Turn.objects.filter(
        stage__in=OPEN_STAGES, missing=0, duel__status=DuelStatus.RUNNING
    ).order_by("opened_at")
    resolved = failed = 0
    for turn_id in complete.values_list("pk", flat=True):
        try:
            resolved += resolve_turn(turn_id=turn_id, now=now)
        except ResolutionFailed:
            failed += 1  # logged and kept in the turn's row; the other turns do not wait for it
    return resolved, failed
