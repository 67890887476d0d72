"""How somebody likes to read, and how far they have read."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0005_guests"),
    ]

    operations = [
        migrations.AddField(
            model_name="seat", name="read_speech", field=models.BigIntegerField(default=0)
        ),
        migrations.AddField(
            model_name="seat", name="read_turn", field=models.PositiveIntegerField(default=0)
        ),
        migrations.AddField(
            model_name="wizard",
            name="preferences",
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
