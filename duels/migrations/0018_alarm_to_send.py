"""Add the index with which workers find the alarms to send."""

from django.db import migrations, models

from spellcaster.index_operations import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("duels", "0017_act_of_renaming"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="alarm",
            index=models.Index(
                models.F("due_at"),
                condition=models.Q(("ended_at__isnull", True), ("status", "queued")),
                name="alarm_to_send",
            ),
        ),
    ]
