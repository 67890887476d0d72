"""The outbox belongs to the post from now on: its table goes there under another name."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0006_reading"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.AlterModelTable("notice", "post_notice")],
            state_operations=[migrations.DeleteModel("notice")],
        ),
    ]
