"""Add ratings, their changes, and the ratings of running duels.

It replaces the migrations from after release 0.1.0; a database must have either none or all of
them.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [("ratings", "0001_ratings"), ("ratings", "0002_running_rating")]

    initial = True

    dependencies = [
        ("duels", "0002_second_release"),
    ]

    operations = [
        migrations.CreateModel(
            name="Ladder",
            fields=[
                ("ruleset", models.CharField(max_length=40, primary_key=True, serialize=False)),
            ],
        ),
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
        migrations.CreateModel(
            name="RatingChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ruleset", models.CharField(max_length=40)),
                ("at", models.DateTimeField()),
                ("place", models.PositiveSmallIntegerField()),
                (
                    "result",
                    models.CharField(
                        choices=[("won", "won"), ("drew", "drew"), ("lost", "lost")], max_length=4
                    ),
                ),
                (
                    "way",
                    models.CharField(
                        choices=[
                            ("kill", "by death"),
                            ("surrender", "by surrender"),
                            ("time", "on time"),
                            ("referee", "by a referee"),
                            ("draw", "by a draw"),
                        ],
                        max_length=9,
                    ),
                ),
                ("turns", models.PositiveIntegerField()),
                ("missed_turns", models.PositiveIntegerField()),
                ("opening", models.CharField(blank=True, max_length=7)),
                ("spells", models.JSONField(blank=True, default=dict)),
                ("value_before", models.FloatField(default=0)),
                ("deviation_before", models.FloatField(default=0)),
                ("volatility_before", models.FloatField(default=0)),
                ("value", models.FloatField(default=0)),
                ("deviation", models.FloatField(default=0)),
                ("volatility", models.FloatField(default=0)),
                ("expected", models.FloatField(default=0)),
                ("actual", models.FloatField(default=0)),
                ("weight", models.FloatField(default=1)),
                (
                    "duel",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rating_changes",
                        to="duels.duel",
                    ),
                ),
                (
                    "wizard",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rating_changes",
                        to="duels.wizard",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        models.F("wizard"),
                        models.F("ruleset"),
                        models.F("at"),
                        models.F("duel"),
                        name="rating_change_of_wizard",
                    ),
                    models.Index(
                        models.F("ruleset"),
                        models.F("at"),
                        models.F("duel"),
                        name="rating_change_order",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        models.F("duel"), models.F("wizard"), name="rating_change_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("result__in", ["won", "drew", "lost"])),
                        name="rating_change_result",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("way__in", ["kill", "surrender", "time", "referee", "draw"])
                        ),
                        name="rating_change_way",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="WizardRating",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ruleset", models.CharField(max_length=40)),
                ("value", models.FloatField()),
                ("deviation", models.FloatField()),
                ("volatility", models.FloatField()),
                ("at", models.DateTimeField()),
                ("ranked_until", models.DateTimeField(blank=True, null=True)),
                ("month", models.DateField()),
                ("month_gain", models.FloatField()),
                ("reliability", models.FloatField()),
                (
                    "wizard",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ratings",
                        to="duels.wizard",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        models.F("ruleset"),
                        models.OrderBy(models.F("value"), descending=True),
                        models.OrderBy(models.F("wizard"), descending=True),
                        condition=models.Q(("ranked_until__isnull", False)),
                        name="rating_ranked",
                    ),
                    models.Index(
                        models.F("ruleset"),
                        models.F("month"),
                        models.OrderBy(models.F("month_gain"), descending=True),
                        models.OrderBy(models.F("wizard"), descending=True),
                        name="rating_movers",
                    ),
                    models.Index(
                        models.F("ruleset"),
                        models.OrderBy(models.F("reliability"), descending=True),
                        models.OrderBy(models.F("wizard"), descending=True),
                        condition=models.Q(("ranked_until__isnull", False)),
                        name="rating_reliable",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        models.F("wizard"), models.F("ruleset"), name="rating_once"
                    )
                ],
            },
        ),
    ]
