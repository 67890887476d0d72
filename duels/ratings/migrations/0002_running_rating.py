"""Add the ratings of running duels, by which the list of duels to watch is sorted."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0012_rated"),
        ("ratings", "0001_ratings"),
    ]

    operations = [
        migrations.CreateModel(
            name="RunningRating",
            fields=[
                (
                    "duel",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="running_rating",
                        serialize=False,
                        to="duels.duel",
                    ),
                ),
                ("ruleset", models.CharField(max_length=40)),
                ("value", models.PositiveIntegerField()),
            ],
            options={
                "indexes": [
                    models.Index(
                        models.OrderBy(models.F("value"), descending=True),
                        models.OrderBy(models.F("duel"), descending=True),
                        name="running_rating_order",
                    )
                ],
            },
        ),
    ]
