"""A database of the previous release can be migrated, and its duels continue."""

from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

import engine.play
from tests import released
from tests.inside import Inside


@pytest.mark.sqlite
@pytest.mark.django_db
def test_running_duels_of_the_previous_release_continue_after_migration(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    if connection.vendor == "postgresql":
        server = request.getfixturevalue("postgresql_server")
        env = released.restored_postgresql(server, tmp_path)
    else:
        env = released.restored_sqlite(tmp_path)
    for about, told_at in (("turn 1", "'2026-03-01 12:01:00+00:00'"), ("turn 2", "NULL")):
        released.store_alarm(env, about, told_at)
    with closing(Inside(env)) as inside:
        inside.call(released.migrate)
        released.store_alarm(env, "turn 3", "NULL")
        alarms = {"turn 1": "sent", "turn 2": "queued", "turn 3": "queued"}
        assert inside.call(released.alarm_statuses) == alarms
        assert inside.call(released.play_on) == list(engine.play.RULESETS)


def test_published_migrations_have_not_been_edited() -> None:
    published = released.published_migrations()
    current = released.migration_digests()
    assert {name: current.get(name) for name in published} == published
