"""Checks of alarms and webhooks, and of the sweep and the outbox, which run every minute."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from django.apps import apps
from django.db.models import Min, Q

from duels.loaded.database_clock import database_now
from duels.models import Alarm, LastSweep, OutboxRow, OutboxStatus
from duels.webhooks.public import failing_hosts
from spellcaster.doctor.problems import Problem

MAX_ROUND_DELAY: Final = timedelta(minutes=5)  # a round normally runs every minute
WEBHOOK_FAILURE_PERIOD: Final = timedelta(hours=1)


def late_sweep() -> Iterator[Problem]:
    last = LastSweep.objects.first()
    if last is None:
        yield Problem("No sweep has run yet, so deadlines have no effect.", SWEEP_REMEDY)
    elif (age := database_now() - last.began_at) > MAX_ROUND_DELAY:
        yield Problem(
            f"The last sweep was {_minutes_text(age)} ago, so deadlines have no effect.",
            SWEEP_REMEDY,
        )


SWEEP_REMEDY: Final = (
    "Start beat and a worker for the queue sweep, or call `manage.py resolve_due` every minute. "
    "If they are running, read the log of that worker."
)


def late_outbox() -> Iterator[Problem]:
    """Yield emails and notifications that were due long ago. `open_alarms` lists all alarms."""
    now = database_now()
    late = Q(status=OutboxStatus.QUEUED, due_at__lt=now - MAX_ROUND_DELAY) | Q(
        status=OutboxStatus.SENDING, claimed_at__lt=now - 2 * MAX_ROUND_DELAY
    )
    for model in apps.get_models():
        if not issubclass(model, OutboxRow) or model is Alarm:
            continue
        rows = model._default_manager.filter(late)
        if count := rows.count():
            oldest = now - rows.aggregate(oldest=Min("due_at"))["oldest"]
            yield Problem(
                f"{count} messages ({model._meta.verbose_name_plural}) should have been sent. The "
                f"oldest was due {_minutes_text(oldest)} ago.",
                "Start beat and a worker for the queue post, or call `manage.py deliver_post` "
                "every minute. If they are running, read the log of that worker.",
            )


def failing_webhooks() -> Iterator[Problem]:
    if hosts := failing_hosts(database_now() - WEBHOOK_FAILURE_PERIOD):
        yield Problem(
            f"Webhooks have failed for more than an hour at {', '.join(hosts)}.",
            "Check that the workers of the queue post can open connections to port 443 of other "
            "hosts. If they can, the addresses are wrong or the hosts do not work: the owners see "
            "the latest responses under Settings, and after three days a webhook is turned off.",
        )


def open_alarms() -> Iterator[Problem]:
    for alarm in Alarm.objects.filter(ended_at=None).order_by("pk"):
        yield Problem(f"An alarm is open: {alarm}.", alarm.words)


def _minutes_text(age: timedelta) -> str:
    return f"{age // timedelta(minutes=1)} minutes"
