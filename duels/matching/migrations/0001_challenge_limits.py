"""Add limits of challenges."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("duels", "0012_rated"),
    ]

    operations = [
        migrations.CreateModel(
            name="ChallengeLimits",
            fields=[
                (
                    "duel",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="limits",
                        serialize=False,
                        to="duels.duel",
                    ),
                ),
                ("least_rating", models.PositiveSmallIntegerField(default=0)),
                ("most_rating", models.PositiveSmallIntegerField(default=4000)),
                ("least_reliability", models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("least_rating__lte", models.F("most_rating")),
                            ("most_rating__lte", 4000),
                        ),
                        name="challenge_limits_rating",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("least_reliability__lte", 100)),
                        name="challenge_limits_reliability",
                    ),
                ],
            },
        ),
    ]
