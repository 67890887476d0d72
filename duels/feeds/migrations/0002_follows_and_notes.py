"""Add follows and private notes."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0012_rated"),
        ("feeds", "0001_calendar_keys"),
    ]

    operations = [
        migrations.CreateModel(
            name="Follow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField()),
                (
                    "duel",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="followed_by",
                        to="duels.duel",
                    ),
                ),
                (
                    "followed",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="followed_by",
                        to="duels.wizard",
                    ),
                ),
                (
                    "wizard",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="follows",
                        to="duels.wizard",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("wizard"), models.F("followed"), name="follow_wizard_once"
                    ),
                    models.UniqueConstraint(
                        models.F("wizard"), models.F("duel"), name="follow_duel_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("followed__isnull", True),
                                models.Q(("duel__isnull", True), _negated=True),
                            ),
                            models.Q(
                                models.Q(("followed__isnull", True), _negated=True),
                                ("duel__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="follow_one",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("wizard", models.F("followed")), _negated=True),
                        name="follow_another",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PrivateNote",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("words", models.TextField(max_length=1000)),
                ("changed_at", models.DateTimeField()),
                (
                    "about",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="private_notes_about",
                        to="duels.wizard",
                    ),
                ),
                (
                    "wizard",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="private_notes",
                        to="duels.wizard",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("wizard"), models.F("about"), name="private_note_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("words", ""), _negated=True),
                        name="private_note_not_empty",
                    ),
                ],
            },
        ),
    ]
