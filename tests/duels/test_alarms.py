"""Alarms: raised if something fails, emailed to operators, and ended when the cause is gone."""

from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.core import mail

import engine
from duels.commands import alarms, release_check, resolution, sweeping
from duels.delivery import outbox
from duels.models import Alarm, AlarmKind, Duel, OutboxStatus, ReleaseCheck, Stage
from tests.cast import LATER, NOW, Cast, begin, hands, open_turn, seal

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

IDLE = hands("-", "-")


def open_alarms() -> list[str]:
    return list(Alarm.objects.filter(ended_at=None).values_list("about", flat=True))


@pytest.fixture
def fully_sealed_duel(cast: Cast) -> Duel:
    """A duel whose open turn everyone has sealed, but which is not resolved yet."""
    duel = begin(cast.ada, cast.bram)
    seal(duel, cast.ada, IDLE)
    seal(duel, cast.bram, IDLE)
    return duel


def test_failure_raises_no_alarm_if_another_worker_has_resolved_the_turn(fully_sealed_duel: Duel):
    turn = open_turn(fully_sealed_duel)

    def resolve_meanwhile(error: Exception) -> str:
        broken.stop()
        assert resolution.resolve_turn(turn_id=turn.pk, now=NOW)
        return type(error).__name__

    broken = mock.patch.object(engine.play, "resolve", side_effect=RuntimeError)
    broken.start()
    with mock.patch.object(resolution, "error_summary", resolve_meanwhile):
        assert not resolution.resolve_turn(turn_id=turn.pk, now=LATER)
    turn.refresh_from_db()
    assert (turn.stage, turn.failed_at, turn.last_error) == (Stage.RESOLVED, None, "")
    assert turn.attempts == 0
    assert open_alarms() == []


def test_sweep_ends_alarms_whose_cause_no_longer_exists(fully_sealed_duel: Duel):
    """Alarms about a resolved and a missing turn end; a turn that still fails keeps its alarm."""
    closed = open_turn(fully_sealed_duel)
    resolution.resolve_turn(turn_id=closed.pk, now=NOW)
    for wizard in ("w0", "w1"):
        seat = fully_sealed_duel.seats.get(place=int(wizard[1]))
        seal(fully_sealed_duel, seat.wizard, IDLE)
    failing = open_turn(fully_sealed_duel)
    with mock.patch.object(engine.play, "resolve", side_effect=RuntimeError):
        for turn_id in (closed.pk, 404):
            alarms.raise_alarm(AlarmKind.TURN, f"turn {turn_id}", "It fails.", NOW)
        sweeping.sweep(now=LATER)
        assert open_alarms() == [f"turn {failing.pk}"]
    sweeping.sweep(now=LATER)
    assert open_alarms() == []


def test_failed_release_check_and_its_alarm_are_stored_together(db: None):
    """Otherwise, a process that dies in between could leave duels stopped without an alarm."""
    difference = ("bartle-1", "bartle-1: turn 1 of duel 7 results in a difference")
    failing = mock.patch.object(release_check, "raise_alarm", side_effect=KeyboardInterrupt)
    before = ReleaseCheck.objects.count()
    with failing, pytest.raises(KeyboardInterrupt):
        release_check._store_check([difference], 1, NOW)
    assert ReleaseCheck.objects.count() == before


# Emails to the operators


@pytest.fixture
def operator_addresses(settings: Any) -> list[str]:
    settings.ADMINS = [("Operator", "operator@example.org")]
    return ["operator@example.org"]


def test_alarm_claimed_by_a_dead_worker_is_emailed_by_another(operator_addresses: list[str]):
    """One worker dies after claiming the alarm, and another after the server accepts the email."""
    alarms.raise_alarm(AlarmKind.TURN, "turn 1", "It fails.", NOW)
    for step in ("EmailMessage.send", "outbox.mark_sent"):
        dying = mock.patch(f"duels.commands.alarms.{step}", side_effect=KeyboardInterrupt)
        now = NOW if step == "EmailMessage.send" else NOW + outbox.STUCK_AFTER
        with dying, pytest.raises(KeyboardInterrupt):
            alarms.email_alarms(now=now)
        assert alarms.email_alarms(now=now) == 0, "the worker may still be sending the email"
    assert alarms.email_alarms(now=now + outbox.STUCK_AFTER) == 1
    assert alarms.email_alarms(now=now + 2 * outbox.STUCK_AFTER) == 0
    assert [message.to for message in mail.outbox] == [operator_addresses] * 2
    assert Alarm.objects.get().status == OutboxStatus.SENT


def test_email_about_alarms_is_retried_until_it_is_sent(operator_addresses: list[str]):
    alarms.raise_alarm(AlarmKind.TURN, "turn 1", "It fails.", NOW)
    now = NOW
    with mock.patch("duels.commands.alarms.EmailMessage.send", side_effect=OSError):
        for _ in range(50):
            assert alarms.email_alarms(now=now) == 0
            alarm = Alarm.objects.get()
            assert now < alarm.due_at <= now + timedelta(minutes=10)
            now = alarm.due_at
    assert (alarm.status, alarm.attempts) == (OutboxStatus.QUEUED, 50)
    alarms.raise_alarm(AlarmKind.TURN, "turn 2", "It fails.", now)
    alarms.raise_alarm(AlarmKind.TURN, "turn 3", "It fails.", now)
    alarms.end_alarm(AlarmKind.TURN, "turn 3", now)
    assert alarms.email_alarms(now=now) == 2
    (message,) = mail.outbox
    assert message.subject == "Spellcaster: 2 alarms"
