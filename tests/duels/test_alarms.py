"""Alarms: raised for what stops, emailed until an email is sent, and ended with their cause."""

from unittest import mock

import pytest

import engine
from duels import commands
from duels.commands import release_check, resolution
from duels.models import Alarm, AlarmKind, Duel, ReleaseCheck, Stage
from tests.cast import LATER, NOW, Cast, begin, hands, open_turn, seal

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

IDLE = hands("-", "-")


def open_alarms() -> list[str]:
    return list(Alarm.objects.filter(ended_at=None).values_list("about", flat=True))


@pytest.fixture
def complete(cast: Cast) -> Duel:
    """A duel whose turn is sealed by everyone, but not resolved yet."""
    duel = begin(cast.ada, cast.bram)
    seal(duel, cast.ada, IDLE)
    seal(duel, cast.bram, IDLE)
    return duel


def test_worker_that_fails_after_another_resolved_the_turn_raises_no_alarm(complete: Duel):
    turn = open_turn(complete)

    def resolved_meanwhile(error: Exception) -> str:
        broken.stop()
        assert commands.resolve_turn(turn_id=turn.pk, now=NOW)
        return type(error).__name__

    broken = mock.patch.object(engine, "resolve", side_effect=RuntimeError)
    broken.start()
    with mock.patch.object(resolution, "error_summary", resolved_meanwhile):
        assert not commands.resolve_turn(turn_id=turn.pk, now=LATER)
    turn.refresh_from_db()
    assert (turn.stage, turn.failed_at, turn.last_error) == (Stage.RESOLVED, None, "")
    assert turn.attempts == 0
    assert open_alarms() == []


def test_sweep_ends_alarms_whose_cause_is_gone(complete: Duel):
    """One turn is resolved and one does not exist; the turn that still fails keeps its alarm."""
    closed = open_turn(complete)
    commands.resolve_turn(turn_id=closed.pk, now=NOW)
    for wizard in ("w0", "w1"):
        seat = complete.seats.get(place=int(wizard[1]))
        seal(complete, seat.wizard, IDLE)
    failing = open_turn(complete)
    with mock.patch.object(engine, "resolve", side_effect=RuntimeError):
        for turn_id in (closed.pk, 404):
            commands.raise_alarm(AlarmKind.TURN, f"turn {turn_id}", "It fails.", NOW)
        commands.sweep(now=LATER)
        assert open_alarms() == [f"turn {failing.pk}"]
    commands.sweep(now=LATER)
    assert open_alarms() == []


def test_check_of_a_release_and_its_alarm_are_stored_together(complete: Duel):
    """A process that dies between the two holds no duels without an alarm."""
    difference = release_check.Difference("bartle-1", complete.pk, 1, "0.1.0", "a difference")
    failing = mock.patch.object(release_check, "raise_alarm", side_effect=KeyboardInterrupt)
    before = ReleaseCheck.objects.count()
    with failing, pytest.raises(KeyboardInterrupt):
        release_check._store_check([difference], 1, NOW)
    assert ReleaseCheck.objects.count() == before
