"""Checks that the database agrees with the responses that the crowd received.

They run in a process that uses the site's settings.
"""

from collections import Counter
from datetime import datetime, timedelta
from functools import partial
from typing import Any

# Triggers that record every change to a resolved turn, so that a second resolution is noticed.
RESOLUTION_TRIGGERS = """
CREATE TABLE fault_test_resolution (turn_id bigint NOT NULL);
CREATE FUNCTION note_resolution() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO fault_test_resolution VALUES (NEW.id);
    RETURN NEW;
END $$;
CREATE TRIGGER note_resolution AFTER UPDATE ON duels_turn FOR EACH ROW
WHEN (NEW.stage = 'resolved' AND (OLD.stage, OLD.events, OLD.chain, OLD.position)
      IS DISTINCT FROM (NEW.stage, NEW.events, NEW.chain, NEW.position))
EXECUTE FUNCTION note_resolution();
"""


def watch_resolutions() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(RESOLUTION_TRIGGERS)


def count_unfinished() -> int:
    """Return the numbers of complete but unresolved turns, and of deadlines that have passed."""
    from django.db.models import Exists, OuterRef

    from duels.loaded.database_clock import database_now
    from duels.models import OPEN_STAGES, Seat, Turn

    awaited = Seat.objects.filter(duel=OuterRef("duel"), awaited=True)
    open_turns = Turn.objects.filter(stage__in=OPEN_STAGES, duel__status="running")
    due = Seat.objects.filter(awaited=True, due_at__lte=database_now(), duel__status="running")
    return open_turns.filter(~Exists(awaited)).count() + due.count()


def finish_post() -> None:
    """Run rounds of the post, each at a later time, until no notice is waiting.

    The rounds begin at the time when notices of dead workers are sent again.
    """
    from duels.clocks.budget import Budget
    from duels.delivery.outbox import STUCK_AFTER
    from duels.models import OutboxStatus
    from duels.post.models import Notice
    from duels.post.public import deliver_due

    waiting = Notice.objects.filter(status__in=[OutboxStatus.QUEUED, OutboxStatus.SENDING])
    later = STUCK_AFTER + timedelta(minutes=1)
    for _ in range(20):
        if not waiting.exists():
            return
        deliver_due(clock=partial(_database_time, later), budget=Budget(3600))
        later *= 2


def _database_time(ahead: timedelta) -> datetime:
    from duels.loaded.database_clock import database_now

    return database_now() + ahead


def audit(
    seals: list[dict[str, Any]], deadlines: list[dict[str, Any]], received: list[str]
) -> dict[str, float]:
    """Return the number of violations of each promise, and the number of checks."""
    from duels.commands.verification import verify_all
    from duels.models import Turn

    checked = verify_all()
    return {
        "acknowledged_seals": len(seals),
        "acknowledged_seals_lost": sum(not _is_stored(seal) for seal in seals),
        "turns_resolved": Turn.objects.filter(stage="resolved").count(),
        "turns_resolved_twice": _count_resolved_twice(),
        "turns_stuck": count_unfinished(),
        "deadlines": len(deadlines),
        "deadlines_wrong": sum(_seconds_late(deadline) is None for deadline in deadlines),
        "deadline_latest_s": max((_seconds_late(each) or 0 for each in deadlines), default=0),
        "notices_lost": _count_lost_notices(set(received)),
        "records_verified": checked.records,
        "turns_replayed": checked.turns,
        "records_that_do_not_verify": len(checked.faults),
    }


def _is_stored(seal: dict[str, Any]) -> bool:
    """Return whether these orders or answers are stored for their wizard and turn."""
    import engine.orders
    from duels.models import Orders
    from duels.sealing.seals import decrypt_seal

    stored = Orders.objects.filter(
        turn__duel=seal["duel"],
        turn__ordinal=seal["ordinal"],
        seat__wizard__name=seal["wizard"],
        batch=seal["batch"],
        source="player",
    )
    fields = [decrypt_seal(body).orders for body in stored.values_list("body", flat=True)]
    if seal["batch"]:
        return seal["fields"] in fields
    sent = engine.orders.from_fields(seal["fields"])
    return any(engine.orders.from_fields(each) == sent for each in fields)


def _count_resolved_twice() -> int:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT turn_id FROM fault_test_resolution")
        times = Counter(row[0] for row in cursor.fetchall())
    return sum(number > 1 for number in times.values())


def _seconds_late(deadline: dict[str, Any]) -> float | None:
    """Return the time from the deadline until default orders were sealed.

    Return None if they were sealed too early, twice or not at all.
    """
    from duels.models import Orders

    defaults = Orders.objects.filter(seat=deadline["seat"], source="default", turn__ordinal=1)
    times = list(defaults.values_list("sealed_at", flat=True))
    due_at = datetime.fromisoformat(deadline["due_at"])
    return (times[0] - due_at).total_seconds() if len(times) == 1 and times[0] >= due_at else None


def _count_lost_notices(received: set[str]) -> int:
    """Return the number of notices that were not stored, or were neither received nor dropped."""
    from django.db.models import Exists, OuterRef

    from duels.models import OutboxStatus, Seat
    from duels.post.headers import message_id
    from duels.post.models import Notice

    notices = Notice.objects.exclude(status=OutboxStatus.DROPPED)
    lost = sum(message_id(notice) not in received for notice in notices)
    told = Notice.objects.filter(
        wizard=OuterRef("wizard"), turn__duel=OuterRef("duel"), turn__stage="orders"
    )
    waiting = Seat.objects.filter(
        awaited=True, duel__turns__stage="orders", duel__turns__ordinal__gt=1
    )
    return lost + waiting.filter(~Exists(told)).count()
