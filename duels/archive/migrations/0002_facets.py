"""Add the ruleset, the size and the way of ending to the indexes that sort the archive."""

from typing import Any

from django.db import migrations

# These patterns must be the same as in the queries.
FACETS = ", ".join(
    rf"substring(codes from '\m{kind}\.[^ ]+')" for kind in ("way", "ruleset", "size")
)
CONDITIONS = {
    "ended_at": "",
    "turns": "",
    "rating": "WHERE rating IS NOT NULL",
    "watched": "WHERE watched > 0",
}


def add_indexes(apps: Any, editor: Any) -> None:
    """Add what SQLite does not have."""
    if editor.connection.vendor == "postgresql":
        for column, condition in CONDITIONS.items():
            editor.execute(
                f"CREATE INDEX archived_facets_{column} ON archive_archivedduel"
                f" ({column}, duel_id, {FACETS}) {condition}"
            )


def remove_indexes(apps: Any, editor: Any) -> None:
    if editor.connection.vendor == "postgresql":
        for column in CONDITIONS:
            editor.execute(f"DROP INDEX archived_facets_{column}")


class Migration(migrations.Migration):
    dependencies = [
        ("archive", "0001_second_release"),
    ]

    operations = [
        migrations.RunPython(add_indexes, remove_indexes),
    ]
