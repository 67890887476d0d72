"""Duels can have names."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0034_whom_referees_removed"),
    ]

    operations = [
        migrations.AddField(
            model_name="duel",
            name="name",
            field=models.CharField(blank=True, max_length=40),
        ),
    ]
