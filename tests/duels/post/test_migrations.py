"""The outbox goes from `duels` to the post with every row that is in it, and back."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
BEFORE = [("duels", "0006_reading"), ("post", None)]


@pytest.mark.django_db(transaction=True)
def test_notices_survive_the_move_of_their_table_both_ways() -> None:
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes()
    try:
        executor.migrate(BEFORE)
        apps = executor.loader.project_state([("duels", "0006_reading")]).apps
        wizard = apps.get_model("duels", "Wizard").objects.create(
            name="Ada", slug="ada", skeleton="ada", created_at=NOW
        )
        duel = apps.get_model("duels", "Duel").objects.create(
            ruleset="bartle-1", challenger=wizard, created_at=NOW, expires_at=NOW
        )
        apps.get_model("duels", "Notice").objects.create(
            kind="over", wizard=wizard, duel=duel, key="over", created_at=NOW, due_at=NOW
        )
        executor = MigrationExecutor(connection)
        executor.migrate(newest)
        apps = executor.loader.project_state(newest).apps
        assert apps.get_model("post", "Notice").objects.get().wizard.name == "Ada"
        executor = MigrationExecutor(connection)
        executor.migrate(BEFORE)
        apps = executor.loader.project_state([("duels", "0006_reading")]).apps
        assert apps.get_model("duels", "Notice").objects.get().key == "over"
    finally:
        MigrationExecutor(connection).migrate(newest)
