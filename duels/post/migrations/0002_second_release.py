"""Add what the bell needs, emails of follows and messages, and unclear bounces.

It replaces the migrations from after release 0.1.0; a database must have either none or all of
them.
"""

import django.db.models.deletion
from django.db import migrations, models

from duels.post.kind_choices import kind_choices


class Migration(migrations.Migration):
    replaces = [
        ("post", "0002_labels"),
        ("post", "0003_interrupted_delivery"),
        ("post", "0004_unclear_bounces"),
        ("post", "0005_kinds_by_registry"),
        ("post", "0006_followed"),
        ("post", "0007_unread"),
        ("post", "0008_messages"),
        ("post", "0009_email_choice_labels"),
    ]

    dependencies = [
        ("duels", "0002_second_release"),
        ("post", "0001_first_release"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="notice",
            name="notice_kind",
        ),
        migrations.RemoveConstraint(
            model_name="notice",
            name="notice_dropped_for",
        ),
        migrations.RemoveConstraint(
            model_name="notice",
            name="notice_of_a_duel",
        ),
        migrations.AddField(
            model_name="mailchoice",
            name="followed",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="mailchoice",
            name="messages",
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.AddField(
            model_name="notice",
            name="is_unread",
            field=models.BooleanField(db_default=False, default=True),
        ),
        migrations.AddField(
            model_name="notice",
            name="path",
            field=models.CharField(blank=True, db_default="", max_length=400),
        ),
        migrations.AddField(
            model_name="notice",
            name="was_interrupted",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AlterField(
            model_name="duelmailchoice",
            name="when",
            field=models.CharField(
                choices=[
                    ("every", "at once, for every turn and other news"),
                    ("visit", "once, then not again until I open the duel"),
                    ("daily", "once a day, with all news in one email"),
                    ("off", "never, not even when my time is running out"),
                ],
                max_length=5,
            ),
        ),
        migrations.AlterField(
            model_name="mailchoice",
            name="when",
            field=models.CharField(
                choices=[
                    ("every", "at once, for every turn and other news"),
                    ("visit", "once, then not again until I open the duel"),
                    ("daily", "once a day, with all news in one email"),
                    ("off", "never, not even when my time is running out"),
                ],
                default="every",
                max_length=5,
            ),
        ),
        migrations.AlterField(
            model_name="notice",
            name="dropped_for",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "not dropped"),
                    ("no_address", "no address to send it to"),
                    ("outdated", "out of date"),
                    ("read", "read on the site"),
                    ("unwanted", "emails are off"),
                    ("told", "already notified since the last visit"),
                    ("limited", "too many emails"),
                    ("request", "you have not accepted messages from this wizard"),
                ],
                default="",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="notice",
            name="kind",
            field=models.CharField(choices=kind_choices, max_length=40),
        ),
        migrations.AlterField(
            model_name="silencedaddress",
            name="cause",
            field=models.CharField(
                choices=[
                    ("refusal", "its server says that it does not exist"),
                    ("bounce", "an email bounced"),
                    ("complaint", "an email was reported as unwanted"),
                ],
                default="refusal",
                max_length=9,
            ),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "dropped_for__in",
                        [
                            "",
                            "no_address",
                            "outdated",
                            "read",
                            "unwanted",
                            "told",
                            "limited",
                            "request",
                        ],
                    )
                ),
                name="notice_dropped_for",
            ),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("duel__isnull", False), ("turn__isnull", True), _connector="OR"
                ),
                name="notice_turn_of_a_duel",
            ),
        ),
        migrations.CreateModel(
            name="UnclearBounce",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.EmailField(max_length=254)),
                ("email", models.CharField(max_length=255)),
                ("sent_at", models.DateTimeField()),
                (
                    "wizard",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="unclear_bounces",
                        to="duels.wizard",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("wizard"), models.F("email"), name="unclear_bounce_once"
                    )
                ],
            },
        ),
    ]
