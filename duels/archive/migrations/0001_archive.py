"""Add the archive of finished public duels, with indexes for searches on PostgreSQL."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

STATEMENTS = (
    "CREATE INDEX archived_by_codes ON archive_archivedduel"
    " USING gin (string_to_array(codes, ' '))",
    # Stored, because the words of many rows may have to be compared.
    "ALTER TABLE archive_archivedduel ADD COLUMN lexemes tsvector"
    " GENERATED ALWAYS AS (to_tsvector('english', words)) STORED",
    "CREATE INDEX archived_by_words ON archive_archivedduel USING gin (lexemes)",
)


def add_search_indexes(apps: Any, editor: Any) -> None:
    """Add what SQLite does not have. It is dropped with the table."""
    if editor.connection.vendor == "postgresql":
        for statement in STATEMENTS:
            editor.execute(statement)


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("duels", "0012_rated"),
    ]

    operations = [
        migrations.CreateModel(
            name="ArchivedDuel",
            fields=[
                (
                    "duel",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="archived",
                        serialize=False,
                        to="duels.duel",
                    ),
                ),
                ("ended_at", models.DateTimeField()),
                ("turns", models.PositiveIntegerField()),
                ("rating", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("codes", models.TextField()),
                ("words", models.TextField()),
            ],
            options={
                "indexes": [
                    models.Index(models.F("ended_at"), models.F("duel"), name="archived_by_end"),
                    models.Index(models.F("turns"), models.F("duel"), name="archived_by_turns"),
                    models.Index(
                        models.F("rating"),
                        models.F("duel"),
                        condition=models.Q(("rating__isnull", False)),
                        name="archived_by_rating",
                    ),
                ],
            },
        ),
        migrations.RunPython(add_search_indexes, migrations.RunPython.noop),
    ]
