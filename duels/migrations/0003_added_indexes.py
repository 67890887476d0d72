"""Add indexes of acts that rename wizards, and of the alarms that workers send.

It replaces the migrations from after release 0.1.0; a database must have either none or all of
them.
"""

from django.db import migrations, models

from spellcaster.index_operations import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    replaces = [
        ("duels", "0017_act_of_renaming"),
        ("duels", "0018_alarm_to_send"),
    ]

    dependencies = [
        ("duels", "0002_second_release"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="act",
            index=models.Index(
                models.F("id"), condition=models.Q(("kind", "rename")), name="act_of_renaming"
            ),
        ),
        AddIndexConcurrently(
            model_name="alarm",
            index=models.Index(
                models.F("due_at"),
                condition=models.Q(("ended_at__isnull", True), ("status", "queued")),
                name="alarm_to_send",
            ),
        ),
    ]
