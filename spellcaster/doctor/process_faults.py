"""Checks of workers, beat and all other processes that report a heartbeat."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db.models import Q, QuerySet

from duels.commands import process_check
from duels.loaded import database_clock
from spellcaster.celery import app
from spellcaster.doctor.problems import Problem
from spellcaster.processes.heartbeat import release_name
from spellcaster.processes.models import LOST_AFTER, RunningProcess

INSPECT_SECONDS: Final = 3
WORKERS_OF_QUEUES: Final = {"turns": "turns,sweep", "sweep": "turns,sweep", "post": "post"}
# Processes stop at twice this difference.
CLOCK_TOLERANCE_SECONDS: Final = process_check.MAX_CLOCK_DIFFERENCE.total_seconds() / 2


def running_processes(now: datetime) -> QuerySet[RunningProcess]:
    return RunningProcess.objects.filter(seen_at__gt=now - LOST_AFTER).order_by("kind", "pk")


def queues_without_worker() -> Iterator[Problem]:
    if not settings.REDIS_URL:
        return
    answers = app.control.inspect(timeout=INSPECT_SECONDS).active_queues() or {}
    served = {queue["name"] for queues in answers.values() for queue in queues}
    for queue in settings.QUEUES:
        if queue not in served:
            yield Problem(
                f"No worker serves the queue {queue}, or none has answered within "
                f"{INSPECT_SECONDS} seconds.",
                f"Start `celery -A spellcaster worker -Q {WORKERS_OF_QUEUES[queue]}`.",
            )


def beat_faults() -> Iterator[Problem]:
    now = database_clock.database_now()
    processes = running_processes(now)
    beats = list(processes.filter(kind="beat"))
    if settings.REDIS_URL and not beats and not processes.filter(kind="resolve_due").exists():
        yield Problem(
            "Beat is not running, so deadlines have no effect and waiting emails are not sent.",
            "Start `celery -A spellcaster beat`.",
        )
    last_start = max((each.started_at for each in beats), default=now)
    # If another beat has replaced a beat, the old one was not seen after the new one started.
    at_once = [each for each in beats if each.seen_at >= last_start]
    if len(at_once) > 1:
        yield Problem(
            f"{len(at_once)} beats are running, so each round happens more than once: "
            f"{', '.join(map(str, at_once))}.",
            "Stop all except one.",
        )


def old_releases() -> Iterator[Problem]:
    others = running_processes(database_clock.database_now()).exclude(release=release_name())
    for process in others:
        yield Problem(
            f"{process} runs release {process.release}, but this is release {release_name()}.",
            "Restart it. If you have just restarted it, wait three minutes and run this again.",
        )


def wrong_clocks() -> Iterator[Problem]:
    remedy = "Correct the clock of that machine, for example with NTP."
    ahead = database_clock.measure_clock_difference().total_seconds()
    if abs(ahead) > CLOCK_TOLERANCE_SECONDS:
        yield Problem(f"The clock of this machine {_difference_text(ahead)}.", remedy)
    wrong = Q(clock_ahead_seconds__gt=CLOCK_TOLERANCE_SECONDS) | Q(
        clock_ahead_seconds__lt=-CLOCK_TOLERANCE_SECONDS
    )
    for process in running_processes(database_clock.database_now()).filter(wrong):
        difference = _difference_text(process.clock_ahead_seconds)
        yield Problem(f"The clock of {process.host}, which runs {process}, {difference}.", remedy)


def _difference_text(ahead: float) -> str:
    side = "ahead of" if ahead > 0 else "behind"
    return f"is {abs(ahead):.0f} seconds {side} the database’s clock"
