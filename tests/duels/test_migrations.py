"""A database of the previous release can be migrated, and its duels continue."""

from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations import AddIndex, CreateModel
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

import engine.play
from spellcaster.index_operations import AddIndexConcurrently
from tests import released
from tests.inside import SiteProcess


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
    with closing(SiteProcess(env)) as inside:
        inside.call(released.run_migrations)
        released.store_alarm(env, "turn 3", "NULL")
        alarms = {"turn 1": "sent", "turn 2": "queued", "turn 3": "queued"}
        assert inside.call(released.alarm_statuses) == alarms
        assert inside.call(released.play_on) == list(engine.play.RULESETS)


def test_published_migrations_have_not_been_edited() -> None:
    published = released.published_migrations()
    current = released.migration_digests()
    assert {name: current.get(name) for name in published} == published


def test_indexes_on_published_tables_are_added_without_blocking_writes() -> None:
    """An upgrade runs while workers of the previous release write to these tables."""
    migrations = MigrationLoader(None).disk_migrations
    published = {tuple(name.split(".")) for name in released.published_migrations()}
    tables = {
        (app, operation.name_lower)
        for app, name in published
        for operation in migrations[app, name].operations
        if isinstance(operation, CreateModel)
    }
    added = {
        operation.index.name: isinstance(operation, AddIndexConcurrently) and not migration.atomic
        for (app, name), migration in migrations.items()
        if (app, name) not in published
        for operation in migration.operations
        if isinstance(operation, AddIndex) and (app, operation.model_name_lower) in tables
    }
    assert added == dict.fromkeys(["alarm_to_send", "act_of_renaming", "notice_unread"], True)


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_index_migration_can_be_repeated_and_reversed() -> None:
    """An interrupted migration may already have created the index."""
    executor = MigrationExecutor(connection)
    leaf = ("duels", "0003_added_indexes")
    migration = executor.loader.get_migration(*leaf)
    before = executor.loader.project_state(leaf, at_end=False)

    def has_index() -> bool:
        with connection.cursor() as cursor:
            found = connection.introspection.get_constraints(cursor, "duels_alarm")
        return "alarm_to_send" in found

    assert has_index()
    executor.apply_migration(before.clone(), migration)
    assert has_index()
    executor.unapply_migration(before.clone(), migration)
    assert not has_index()
    executor.apply_migration(before.clone(), migration)
    assert has_index()
