"""A database of the last release can be migrated, and its duels continue."""

from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

import engine
from tests import prepared, released
from tests.inside import Inside

# An alarm as workers of release 0.1.0 store it in the database.
STORE_ALARM = """
from django.db import connection
connection.cursor().execute(
    "INSERT INTO duels_alarm (kind, about, words, raised_at, told_at) VALUES (%s, %s, %s, %s, %s)",
    ["turn", "{about}", "It fails.", "2026-03-01 12:00:00+00:00", {told_at}],
)
"""
SHOW_ALARMS = """
from duels.models import Alarm
print(dict(Alarm.objects.order_by("about").values_list("about", "status")))
"""


@pytest.mark.sqlite
@pytest.mark.django_db
def test_running_duels_of_the_last_release_continue_after_migration(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    if connection.vendor == "postgresql":
        server = request.getfixturevalue("postgresql_server")
        env = released.restored_postgresql(server, tmp_path)
    else:
        env = released.restored_sqlite(tmp_path)
    for about, told_at in (("turn 1", "'2026-03-01 12:01:00+00:00'"), ("turn 2", None)):
        prepared.manage(env, "shell", "-c", STORE_ALARM.format(about=about, told_at=told_at))
    prepared.manage(env, "migrate", "--verbosity=0")
    prepared.manage(env, "shell", "-c", STORE_ALARM.format(about="turn 3", told_at=None))
    alarms = prepared.manage(env, "shell", "--verbosity=0", "-c", SHOW_ALARMS)
    assert alarms == "{'turn 1': 'sent', 'turn 2': 'queued', 'turn 3': 'queued'}\n"
    with closing(Inside(env)) as inside:
        assert inside.call(released.play_on) == list(engine.RULESETS)


def test_published_migrations_have_not_been_edited() -> None:
    published = released.published_migrations()
    current = released.migration_digests()
    assert {name: current.get(name) for name in published} == published
