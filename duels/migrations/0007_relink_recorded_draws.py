"""Links made with the record for duels whose draws were fixed in advance.

Their first link did not cover these draws, so nothing could show that the duels began with them.
Only the sample duel of the demonstration has any.
"""

from typing import Any

from django.db import migrations

LINKED_WITH_RECORD = 1
SALTS_BY_SEED = 3


def link_with_record(apps: Any, editor: Any) -> None:
    duels = apps.get_model("duels", "Duel").objects.filter(recorded_draws__isnull=False)
    duels.filter(link_format=SALTS_BY_SEED, started_at__isnull=False).update(
        link_format=LINKED_WITH_RECORD
    )


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0006_first_link"),
    ]

    operations = [
        migrations.RunPython(link_with_record, migrations.RunPython.noop),
    ]
