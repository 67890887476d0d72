"""The row for this process among the running processes, updated once a minute."""

import os
import socket
import time
from datetime import timedelta
from typing import Any, Final

from django.db import Error, connections, transaction

import engine
from spellcaster.processes.models import KIND_LENGTH, LOST_AFTER, RunningProcess

BEAT_SECONDS: Final = 60
STOPPED_PROCESSES_KEPT_FOR: Final = timedelta(days=7)


class _ThisProcess:
    """This process. Shells and tests have no kind, and are not recorded."""

    kind = ""
    is_recorded = False
    next_beat = 0.0  # time of the next heartbeat, on the monotonic clock


def begin_heartbeats(kind: str) -> None:
    """Record this process from now on."""
    _ThisProcess.kind = kind[:KIND_LENGTH]
    _ThisProcess.is_recorded = False
    _ThisProcess.next_beat = 0.0
    record_heartbeat()


def record_heartbeat() -> None:
    """Record that this process is running, at most once a minute.

    This does nothing while the database does not respond, or before it is migrated.
    """
    if not _ThisProcess.kind or time.monotonic() < _ThisProcess.next_beat:
        return
    _ThisProcess.next_beat = time.monotonic() + BEAT_SECONDS
    try:
        _store_heartbeat()
    except Error:
        return
    finally:
        connections.close_all()  # forked processes must not share connections


def release_name() -> str:
    """Return the release of the code that this process runs."""
    from duels.proof.release import rules_code_fingerprint

    return f"{engine.RELEASE} ({rules_code_fingerprint()[:8]})"


@transaction.atomic
def _store_heartbeat() -> None:
    from duels.loaded import database_clock  # once the apps are loaded

    ahead = database_clock.measure_clock_difference()
    now = database_clock.site_now()
    own: dict[str, Any] = {
        "kind": _ThisProcess.kind,
        "host": socket.gethostname(),
        "process_id": os.getpid(),
    }
    news = {"seen_at": now, "clock_ahead_seconds": ahead.total_seconds(), "release": release_name()}
    if _ThisProcess.is_recorded and RunningProcess.objects.filter(**own).update(**news):
        return
    same = RunningProcess.objects.filter(kind=_ThisProcess.kind, host=own["host"])
    same.filter(seen_at__lt=now - LOST_AFTER).delete()  # rows of the process that this one replaces
    RunningProcess.objects.filter(seen_at__lt=now - STOPPED_PROCESSES_KEPT_FOR).delete()
    RunningProcess.objects.update_or_create(**own, defaults={**news, "started_at": now})
    _ThisProcess.is_recorded = True
