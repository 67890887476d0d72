"""Add threads of private messages.

It replaces the migrations from after release 0.1.0; a database must have either none or all of
them.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [("wizard_messages", "0001_messages"), ("wizard_messages", "0002_removed_messages")]

    initial = True

    dependencies = [
        ("duels", "0002_second_release"),
        ("referee", "0002_second_release"),
    ]

    operations = [
        migrations.CreateModel(
            name="Thread",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("newest", models.BigIntegerField(default=0)),
                (
                    "first",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="threads_as_first",
                        to="duels.wizard",
                    ),
                ),
                (
                    "second",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="threads_as_second",
                        to="duels.wizard",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("first"), models.F("second"), name="thread_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("first__lt", models.F("second"))),
                        name="thread_in_order",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Participant",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "consent",
                    models.CharField(
                        choices=[
                            ("pending", "pending"),
                            ("accepted", "accepted"),
                            ("declined", "declined"),
                        ],
                        default="pending",
                        max_length=8,
                    ),
                ),
                ("is_muted", models.BooleanField(default=False)),
                ("read_up_to", models.BigIntegerField(default=0)),
                (
                    "wizard",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="message_participants",
                        to="duels.wizard",
                    ),
                ),
                (
                    "thread",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="participants",
                        to="wizard_messages.thread",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("thread"), models.F("wizard"), name="participant_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("consent__in", ["pending", "accepted", "declined"])),
                        name="participant_consent",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Message",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("words", models.TextField(max_length=2000)),
                ("sent_at", models.DateTimeField()),
                ("removed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "removed_for",
                    models.CharField(blank=True, db_default="", default="", max_length=1000),
                ),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="messages_written",
                        to="duels.wizard",
                    ),
                ),
                (
                    "case",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="reported_message",
                        to="referee.case",
                    ),
                ),
                (
                    "thread",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="messages",
                        to="wizard_messages.thread",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        models.F("thread"),
                        models.OrderBy(models.F("id"), descending=True),
                        name="message_newest",
                    ),
                    models.Index(models.F("author"), models.F("sent_at"), name="message_rate"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("words", ""), _negated=True),
                        name="message_says_something",
                    )
                ],
            },
        ),
    ]
