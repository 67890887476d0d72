"""Add counter-proposals of challenges."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0012_rated"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="duel",
            name="duel_ended",
        ),
        migrations.AddField(
            model_name="duel",
            name="counter_to",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="counters",
                to="duels.duel",
            ),
        ),
        migrations.AlterField(
            model_name="duel",
            name="ended",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "not ended"),
                    ("rules", "by the rules"),
                    ("resigned", "by resigning"),
                    ("agreed", "by agreement"),
                    ("time", "by timeout"),
                    ("claimed", "by a claim"),
                    ("abandoned", "abandoned"),
                    ("removed", "by a referee, who removed a player"),
                    ("declared", "by a referee, who declared the result"),
                    ("annulled", "annulled"),
                    ("withdrawn", "withdrawn"),
                    ("declined", "declined"),
                    ("expired", "expired"),
                    ("countered", "answered with other terms"),
                ],
                default="",
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            model_name="duel",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "ended__in",
                        [
                            "",
                            "rules",
                            "resigned",
                            "agreed",
                            "time",
                            "claimed",
                            "abandoned",
                            "removed",
                            "declared",
                            "annulled",
                            "withdrawn",
                            "declined",
                            "expired",
                            "countered",
                        ],
                    )
                ),
                name="duel_ended",
            ),
        ),
    ]
