"""Add objections of players to the referee of their case, and update labels.

It replaces the migrations from after release 0.1.0; a database must have either none or all of
them.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [("referee", "0002_labels"), ("referee", "0003_objections")]

    dependencies = [
        ("duels", "0002_second_release"),
        ("duels", "__first__"),
        ("referee", "0001_first_release"),
    ]

    operations = [
        migrations.AlterField(
            model_name="assignment",
            name="kind",
            field=models.CharField(
                choices=[
                    ("claimed", "claimed"),
                    ("handed_over", "handed over"),
                    ("given_back", "returned"),
                ],
                max_length=11,
            ),
        ),
        migrations.AlterField(
            model_name="case",
            name="category",
            field=models.CharField(
                choices=[
                    ("rule", "A rule was misplayed"),
                    ("deadline", "A deadline or a clock"),
                    ("conduct", "Conduct or messages"),
                    ("cheating", "Cheating"),
                    ("name", "A name"),
                    ("other", "Something else"),
                ],
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="case",
            name="status",
            field=models.CharField(
                choices=[
                    ("open", "waiting for a referee"),
                    ("claimed", "with a referee"),
                    ("ruled", "ruled"),
                    ("appealed", "waiting for another referee"),
                    ("closed", "closed without a ruling"),
                    ("withdrawn", "withdrawn"),
                ],
                default="open",
                max_length=9,
            ),
        ),
        migrations.AlterField(
            model_name="note",
            name="audience",
            field=models.CharField(
                choices=[("referees", "for referees only"), ("players", "for the players too")],
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="ruling",
            name="verdict",
            field=models.CharField(
                choices=[
                    ("engine_right", "The engine was right"),
                    ("engine_wrong", "The engine was wrong"),
                    ("deadline_stands", "The deadline applies"),
                    ("deadline_unfair", "The deadline should not count against the wizard"),
                    ("conduct", "Unacceptable conduct"),
                    ("no_conduct", "Nothing wrong was done or said"),
                    ("cheated", "It was cheating"),
                    ("not_cheated", "There was no cheating"),
                    ("abuse", "The dispute itself was abusive"),
                    ("other", "Something else"),
                ],
                max_length=15,
            ),
        ),
        migrations.CreateModel(
            name="Objection",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("referee_name", models.CharField(max_length=40)),
                ("words", models.TextField(max_length=2000)),
                ("at", models.DateTimeField()),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="objections",
                        to="referee.case",
                    ),
                ),
                (
                    "referee",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="case_objections",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "wizard",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="objections",
                        to="duels.wizard",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("words", ""), _negated=True), name="objection_has_words"
                    ),
                    models.UniqueConstraint(
                        models.F("case"), models.F("wizard"), name="objection_once_of_each_wizard"
                    ),
                ],
            },
        ),
    ]
