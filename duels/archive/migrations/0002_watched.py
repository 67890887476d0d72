"""Add the largest audience of archived duels, and duels of the day."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("archive", "0001_archive"),
    ]

    operations = [
        migrations.AddField(
            model_name="archivedduel",
            name="watched",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddIndex(
            model_name="archivedduel",
            index=models.Index(
                models.F("watched"),
                models.F("duel"),
                condition=models.Q(("watched__gt", 0)),
                name="archived_by_watched",
            ),
        ),
        migrations.CreateModel(
            name="DailyDuel",
            fields=[
                ("day", models.DateField(primary_key=True, serialize=False)),
                ("reason", models.CharField(max_length=300)),
                (
                    "archived",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="daily",
                        to="archive.archivedduel",
                    ),
                ),
            ],
        ),
    ]
