"""A database of the last release can be migrated, and its duels continue."""

from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

import engine
from tests import prepared, released
from tests.inside import Inside


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
    prepared.manage(env, "migrate", "--verbosity=0")
    with closing(Inside(env)) as inside:
        assert inside.call(released.play_on) == list(engine.RULESETS)


def test_published_migrations_are_never_edited() -> None:
    published = released.published_migrations()
    current = released.migration_digests()
    assert {name: current.get(name) for name in published} == published
