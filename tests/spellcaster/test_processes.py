"""Tests of the record of running processes."""

import os
import socket
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import InterfaceError, OperationalError, connections
from django.test import Client
from django.utils import timezone

from spellcaster.processes import heartbeat
from spellcaster.processes.models import RunningProcess
from spellcaster.startup import can_process_still_act

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def stop_recording_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep the test's transaction open, and stop recording this process after the test."""
    monkeypatch.setattr(connections, "close_all", lambda: None)
    yield
    heartbeat.begin_heartbeats("")


def let_minute_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set all recorded times back, instead of waiting."""
    monkeypatch.setattr(heartbeat._ThisProcess, "next_beat", 0.0)
    RunningProcess.objects.update(seen_at=timezone.now() - timedelta(minutes=1))


def recorded_processes() -> list[tuple[str, str, int]]:
    return list(RunningProcess.objects.values_list("kind", "host", "process_id"))


def test_process_is_recorded_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    heartbeat.begin_heartbeats("beat")
    assert recorded_processes() == [("beat", socket.gethostname(), os.getpid())]
    began = RunningProcess.objects.get()
    assert began.release == heartbeat.release_name()
    assert abs(began.clock_ahead_seconds) < 1
    assert can_process_still_act()
    assert RunningProcess.objects.get().seen_at == began.seen_at
    let_minute_pass(monkeypatch)
    assert can_process_still_act()
    now = RunningProcess.objects.get()
    assert now.seen_at > began.seen_at
    assert now.started_at == began.started_at


def test_web_process_is_recorded_while_it_gets_requests(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    heartbeat.begin_heartbeats("web process")
    let_minute_pass(monkeypatch)
    client.get("/about/")
    assert RunningProcess.objects.get().seen_at > timezone.now() - timedelta(seconds=30)


def test_process_replaces_the_row_of_a_process_that_has_ended() -> None:
    now = timezone.now()
    common = {
        "release": "0.1.0",
        "clock_ahead_seconds": 0.0,
        "started_at": now,
        "host": socket.gethostname(),
    }
    for process_id, kind, age in (
        (1, "beat", timedelta(minutes=3)),
        (2, "beat", timedelta(minutes=1)),
        (3, "read_mail", timedelta(days=2)),
        (4, "resolve_due", timedelta(days=8)),
    ):
        RunningProcess.objects.create(process_id=process_id, kind=kind, seen_at=now - age, **common)
    heartbeat.begin_heartbeats("beat")
    assert {process_id for _, _, process_id in recorded_processes()} == {2, 3, os.getpid()}


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_outage_does_not_stop_a_process(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr(heartbeat, "_store_heartbeat", fail)
    heartbeat.begin_heartbeats("beat")
    assert recorded_processes() == []


def test_shells_and_tests_are_not_recorded() -> None:
    assert can_process_still_act()
    assert recorded_processes() == []
