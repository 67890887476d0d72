"""How many seals a turn waits for is counted in its seats; no second number is kept of it."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0011_skeletons"),
    ]

    operations = [
        migrations.RemoveIndex(model_name="turn", name="turn_complete"),
        migrations.RemoveField(model_name="turn", name="missing"),
    ]
