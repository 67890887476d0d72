"""Mark the alarms that were emailed before their delivery had a status."""

from typing import Any

from django.db import migrations


def mark_sent(apps: Any, schema_editor: Any) -> None:
    alarms = apps.get_model("duels", "Alarm")
    alarms.objects.filter(sent_at__isnull=False, status="queued").update(status="sent")


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0003_alarm_outbox"),
    ]

    operations = [
        migrations.RunPython(mark_sent, migrations.RunPython.noop),
    ]
