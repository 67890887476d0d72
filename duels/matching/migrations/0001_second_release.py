"""Add limits of challenges, and wizards who are open to duels.

It replaces the migrations from after release 0.1.0; a database must have either none or all of
them.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [("matching", "0001_challenge_limits"), ("matching", "0002_availability")]

    initial = True

    dependencies = [
        ("duels", "0002_second_release"),
    ]

    operations = [
        migrations.CreateModel(
            name="Availability",
            fields=[
                (
                    "wizard",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="availability",
                        serialize=False,
                        to="duels.wizard",
                    ),
                ),
                ("rulesets", models.JSONField()),
                ("paces", models.JSONField()),
                (
                    "rated",
                    models.CharField(
                        choices=[
                            ("either", "Rated or friendly"),
                            ("rated", "Only rated"),
                            ("friendly", "Only friendly"),
                        ],
                        max_length=8,
                    ),
                ),
                ("most_duels", models.PositiveSmallIntegerField()),
                ("since", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("rated__in", ["either", "rated", "friendly"])),
                        name="availability_rated",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("most_duels__gte", 1), ("most_duels__lte", 10)),
                        name="availability_most_duels",
                    ),
                ],
            },
        ),
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
