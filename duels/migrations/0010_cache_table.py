"""Create the table of Django's database cache.

The table that it replaces stays for one release, because processes of release 0.1.0 still use it
while they are being replaced.
"""

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
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel(name="CachedValue")]
        ),
    ]
