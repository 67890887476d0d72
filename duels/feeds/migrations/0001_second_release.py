"""Add the secret addresses of calendars, follows and private notes.

It replaces the migrations from after release 0.1.0; a database must have either none or all of
them.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [("feeds", "0001_calendar_keys"), ("feeds", "0002_follows_and_notes")]

    initial = True

    dependencies = [
        ("duels", "0002_second_release"),
    ]

    operations = [
        migrations.CreateModel(
            name="CalendarKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("token", models.CharField(max_length=43, unique=True)),
                ("created_at", models.DateTimeField()),
                (
                    "wizard",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="calendar_key",
                        to="duels.wizard",
                    ),
                ),
            ],
        ),
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
