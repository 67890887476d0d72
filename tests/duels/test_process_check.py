"""Processes with keys or a clock that differ from those of the site."""

from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from cryptography.fernet import Fernet
from django.db import connection
from django.utils import timezone

from duels import tasks
from duels.commands import challenges, process_check, resolution, sweeping
from duels.models import Alarm, AlarmKind, Duel, Orders, SealSource
from tests.cast import NOW, Cast, begin, challenge, hands, open_turn, seal

IDLE = hands("-", "-")
real_now = timezone.now


def open_alarms() -> list[str]:
    return list(Alarm.objects.filter(ended_at=None).values_list("kind", flat=True))


@pytest.mark.django_db
def test_process_without_the_sites_keys_does_not_mark_turns_as_failed(cast: Cast, settings: Any):
    duel = begin(cast.ada, cast.bram)
    seal(duel, cast.ada, IDLE)
    seal(duel, cast.bram, IDLE)
    turn, keys = open_turn(duel), settings.SEAL_KEYS
    process_check.accept_keys(now=NOW)
    settings.SEAL_KEYS = [Fernet.generate_key().decode()]
    assert not resolution.resolve_turn(turn_id=turn.pk, now=NOW)
    assert sweeping.sweep(now=NOW) == sweeping.SweepResult(0, 0, 0)
    turn.refresh_from_db()
    assert (turn.failed_at, turn.attempts) == (None, 0)
    assert open_alarms() == [AlarmKind.KEYS]
    settings.SEAL_KEYS = keys
    assert sweeping.sweep(now=NOW + timedelta(days=1)).resolved == 1
    assert open_alarms() == [], "the alarm has ended"


@pytest.mark.django_db
def test_deadlines_follow_the_clock_of_the_database(cast: Cast):
    """A sweep in a process with a clock six minutes fast does not play or open turns too early."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no clock of its own")
    duel: Duel = challenge(cast.ada, pace="86400", now=real_now() - timedelta(hours=23, minutes=57))
    began = duel.created_at
    duel = challenges.accept(duel_id=duel.pk, wizard=cast.bram, now=began)
    with mock.patch.object(timezone, "now", return_value=real_now() + timedelta(minutes=6)):
        tasks.sweep()
        assert not Orders.objects.filter(source=SealSource.DEFAULT).exists()
        seal(duel, cast.ada, IDLE)
        seal(duel, cast.bram, IDLE)
        tasks.resolve_turn(open_turn(duel).pk)
    following = open_turn(duel)
    assert following.ordinal == 2
    assert abs(following.opened_at - real_now()) < timedelta(minutes=3)
