"""Tests of processes that must not act: with invalid settings, wrong keys or wrong clocks."""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from celery.worker import state
from cryptography.fernet import Fernet
from django.conf import settings
from django.core.checks import Error
from django.core.management import CommandError
from django.db import OperationalError, connections
from django.test import Client
from django.utils import timezone
from django.utils.module_loading import import_string

from duels.commands import process_check
from duels.loaded import database_clock
from duels.management.commands import read_mail
from duels.models import Alarm, AlarmKind, SiteKey
from duels.replies import listening
from spellcaster import startup
from spellcaster.beat import CheckedScheduler
from spellcaster.celery import app, stop_unfit_worker
from spellcaster.processes import heartbeat
from tests import services
from tests.cast import NOW, hands

IDLE = hands("-", "-")
OLD, NEW, OTHER = (Fernet.generate_key().decode() for _ in range(3))
real_now = timezone.now


@pytest.fixture(autouse=True)
def mark_process_as_unchecked() -> Iterator[None]:
    """Treat this process as one that is not checked, as a shell is."""
    yield
    process_check._Process.name = ""
    heartbeat.begin_heartbeats("")


def set_clock_ahead(by: timedelta) -> Any:
    """Set this process's clock ahead of the database's by this time.

    Import all views and middleware first, because a module that is first imported while the clock
    is replaced would keep the wrong clock.
    """
    import_module(settings.ROOT_URLCONF)
    for path in settings.MIDDLEWARE:
        import_string(path)
    return mock.patch.object(database_clock, "database_now", side_effect=lambda: real_now() - by)


def open_alarms() -> list[tuple[str, str]]:
    return list(Alarm.objects.filter(ended_at=None).values_list("kind", "about"))


# Settings


ENTRY_POINTS = {
    "wsgi": ["spellcaster.wsgi"],
    "asgi": ["spellcaster.asgi"],
    "worker": ["celery", "-A", "spellcaster", "worker", "--pool=solo"],
    "beat": ["celery", "-A", "spellcaster", "beat", "--pidfile="],
    "listener": ["manage", "listen_for_mail", "--port=0"],
    "reply": ["manage", "read_mail"],
}


@pytest.mark.long
def test_processes_do_not_start_without_seal_keys(tmp_path: Path):
    """A process without keys would generate a key that no other process has."""
    env = services.clean_environment(
        ALLOWED_HOSTS="127.0.0.1",
        EMAIL_URL="smtp://127.0.0.1:9",
        HTTPS="off",
        SECRET_KEY=services.TEST_KEYS["SECRET_KEY"],
        VAR_DIR=str(tmp_path),
    )
    done = subprocess.run(
        [sys.executable, "-m", "tests.entry_points", json.dumps(ENTRY_POINTS)],
        cwd=services.ROOT,
        env=env,
        check=True,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=services.PATIENCE_SECONDS,
    )
    ended = json.loads(done.stdout)
    assert ended.keys() == ENTRY_POINTS.keys()
    for name, (code, errors) in ended.items():
        assert code == (75 if name == "reply" else 1), (name, errors)
        assert "duels.E002" in errors, (name, errors)


@pytest.mark.django_db
@pytest.mark.parametrize("deploy", [False, True])
def test_process_does_not_start_if_the_deployment_check_fails(deploy: bool, settings: Any):
    settings.DEBUG = settings.EMBEDDED_DATABASE = True  # a checkout, which generates its own keys
    settings.ALLOWED_HOSTS = ["*"] if deploy else []
    if not deploy:
        with mock.patch.object(connections, "close_all"):  # keep the test's transaction open
            startup.check_process("web process")
        return
    with pytest.raises(startup.RefusedToStart, match=r"duels\.E042"):
        startup.check_process("web process")
    with pytest.raises(CommandError) as refused:
        read_mail.Command().check()
    assert refused.value.returncode == read_mail.TRY_AGAIN


@pytest.mark.django_db
def test_process_that_waits_for_the_database_starts_when_it_responds():
    """A web process starts immediately, and is checked before it changes anything."""
    failing = mock.patch.object(
        process_check, "check_process", side_effect=[OperationalError, None]
    )
    no_errors = mock.patch.object(startup, "run_checks", return_value=[])
    with (
        no_errors,
        mock.patch.object(
            process_check, "check_process", side_effect=[OperationalError, None]
        ) as check,
        mock.patch("time.sleep"),
        mock.patch.object(connections, "close_all"),
    ):
        startup.check_process("worker", waits_for_database=True)
        assert check.call_count == 2
        check.side_effect = [OperationalError]
        startup.check_process("web process")
    with failing as check:
        process_check.recheck_process_hourly()
        process_check.recheck_process_hourly()
        assert check.call_count == 2


def test_process_that_must_not_start_notifies_operators_and_exits():
    refused = startup.RefusedToStart("The clock is wrong.")
    with (
        mock.patch.object(startup, "check_process", side_effect=refused),
        mock.patch.object(startup, "_send_startup_alarms") as told,
        pytest.raises(SystemExit, match=r"The worker x does not start: The clock is wrong\."),
    ):
        startup.check_process_or_exit("worker x")
    assert told.called
    with (
        mock.patch.object(startup, "run_checks", return_value=[Error("x", id="x.E1")]),
        pytest.raises(startup.RefusedToStart, match=r"x\.E1"),
    ):
        startup.check_process("beat")


def test_running_process_stops_acting_when_its_clock_becomes_wrong(monkeypatch: pytest.MonkeyPatch):
    """A worker exits after its tasks, and emails stay with the mail server that sends them."""
    monkeypatch.setattr(state, "should_stop", None)
    monkeypatch.setattr(connections, "close_all", mock.Mock())
    monkeypatch.setattr(process_check._Process, "name", "worker")
    monkeypatch.setattr(process_check._Process, "next_check", float("inf"))
    stop_unfit_worker()
    assert state.should_stop is None
    monkeypatch.setattr(process_check._Process, "next_check", 0.0)
    with mock.patch.object(
        process_check, "check_process", side_effect=process_check.UnfitProcess("wrong clock")
    ):
        stop_unfit_worker()
        assert state.should_stop == 1
        envelope = mock.Mock(content=b"Subject: orders")
        assert listening._process_envelope(envelope).startswith("451 ")


# Keys


@pytest.mark.django_db
@pytest.mark.sqlite
def test_keys_of_processes_are_compared(settings: Any):
    """A new key can be added in front of the others, but every process must have the key in use."""
    process_check.register_process("worker")
    mine = process_check._Process.name
    for keys in ([OLD], [NEW, OLD], [OLD, NEW], [OTHER, OLD, NEW]):
        settings.SEAL_KEYS = keys
        process_check.check_process()
    stored = SiteKey.objects.get(purpose="seals")
    assert stored.fingerprint == process_check.key_fingerprint(OTHER)
    assert OTHER not in str(SiteKey.objects.values_list())
    settings.SEAL_KEYS = [NEW, OLD]
    with pytest.raises(process_check.UnfitProcess, match=f"key {stored.fingerprint[:8]}"):
        process_check.check_process()
    assert open_alarms() == [(AlarmKind.KEYS, mine)]
    settings.SEAL_KEYS = [OTHER]
    process_check.check_process()
    assert open_alarms() == []
    settings.SECRET_KEY = "another"
    with pytest.raises(process_check.UnfitProcess, match="SECRET_KEY"):
        process_check.check_process()
    process_check.accept_keys(now=NOW)
    process_check.check_process()
    assert open_alarms() == []


# Clocks


@pytest.mark.django_db
@pytest.mark.parametrize(("minutes", "side"), [(6, "360 seconds ahead"), (-120, "7200 seconds b")])
def test_process_with_a_wrong_clock_does_not_change_anything(minutes: int, side: str):
    process_check.register_process("worker")
    with set_clock_ahead(timedelta(minutes=minutes)):
        for _ in range(2):
            with pytest.raises(process_check.UnfitProcess, match=side):
                process_check.recheck_process_hourly()
        assert not startup.can_process_still_act()
        post = Client().post("/play", {})
        assert (post.status_code, post["Retry-After"]) == (503, "60")
        assert Client().get("/primer/").status_code == 200
        assert [kind for kind, _ in open_alarms()] == [AlarmKind.CLOCK]
        alarm = Alarm.objects.get()
        assert abs(alarm.created_at - database_clock.database_now()) < timedelta(minutes=1)
    with set_clock_ahead(timedelta(seconds=20)):
        assert startup.can_process_still_act()
        assert open_alarms() == []
        assert timezone.now() - database_clock.site_now() > timedelta(seconds=10)
    with set_clock_ahead(timedelta(hours=2)):
        assert startup.can_process_still_act(), "it is checked again only after an hour"
        process_check._Process.next_check = 0.0
        assert not startup.can_process_still_act()


class RecordingScheduler(CheckedScheduler):
    """Scheduler that only records the names of the tasks in `sent`."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        super().__init__(app=app)

    def apply_async(self, entry: Any, *_: Any, **__: Any) -> None:
        self.sent.append(entry.name)


def test_beat_sends_all_tasks_as_soon_as_it_starts():
    """A beat that crashes every few seconds, or was down for an hour, must not delay any work."""
    beat: Any = RecordingScheduler()
    for _ in beat.schedule:
        beat.tick()
    assert sorted(beat.sent) == sorted(app.conf.beat_schedule)


@pytest.mark.parametrize("hours", [-2, 2])
def test_beat_continues_after_a_change_of_its_clock(hours: int):
    beat: Any = RecordingScheduler()
    assert set(beat.schedule) == set(app.conf.beat_schedule)
    beat.tick()
    for entry in beat.schedule.values():  # as if the task had last run before the clock was set
        entry.last_run_at -= timedelta(hours=hours)
    beat._offset = (beat._offset or 0.0) - 3600 * hours
    beat.sent.clear()
    for _ in beat.schedule:
        beat.tick()
    assert sorted(beat.sent) == sorted(app.conf.beat_schedule)
    assert 0 < beat.tick() <= 60
    with (
        mock.patch.object(startup, "can_process_still_act", return_value=False),
        pytest.raises(SystemExit),
    ):
        beat.tick()


def test_all_modules_use_the_clock_of_the_database():
    """A process with a wrong clock must not play turns too early or show wrong times."""
    package = settings.BASE_DIR / "duels"
    modules = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if "timezone.now" in path.read_text("utf-8") and "migrations" not in path.parts
    }
    assert modules == {"loaded/database_clock.py", "loaded/joined_rows.py"}
