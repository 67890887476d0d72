"""Add wizards who are open to duels."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0014_paired"),
        ("matching", "0001_challenge_limits"),
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
    ]
