"""Create the table of Django's database cache, and drop the table that it replaces."""

from typing import Any

from django.core.management import call_command
from django.db import migrations

TABLE = "shared_cache"


def create_table(apps: Any, schema_editor: Any) -> None:
    alias = schema_editor.connection.alias
    call_command("createcachetable", TABLE, database=alias, verbosity=0)


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0009_form_submissions"),
    ]

    operations = [
        migrations.RunPython(
            create_table, lambda apps, editor: editor.execute(f"DROP TABLE {TABLE}")
        ),
        migrations.DeleteModel(name="CachedValue"),
    ]
