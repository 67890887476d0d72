"""Add the archive of finished public duels, with indexes for searches on PostgreSQL.

It replaces the migrations from after release 0.1.0; a database must have either none or all of
them.
"""

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
    replaces = [("archive", "0001_archive"), ("archive", "0002_watched")]

    initial = True

    dependencies = [
        ("duels", "0002_second_release"),
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
                ("watched", models.PositiveIntegerField(db_default=0, default=0)),
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
                    models.Index(
                        models.F("watched"),
                        models.F("duel"),
                        condition=models.Q(("watched__gt", 0)),
                        name="archived_by_watched",
                    ),
                ],
            },
        ),
        migrations.RunPython(add_search_indexes, migrations.RunPython.noop),
        migrations.CreateModel(
            name="DailyDuel",
            fields=[
                ("day", models.DateField(primary_key=True, serialize=False)),
                ("reason", models.CharField(max_length=300)),
                (
                    "archived",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="daily",
                        to="archive.archivedduel",
                    ),
                ),
            ],
        ),
    ]
