"""Add notifications of private messages, titles, and interrupted deliveries.

It replaces the migrations from after release 0.1.0; a database must have either none or all of
them.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("push", "0002_labels"),
        ("push", "0003_interrupted_delivery"),
        ("push", "0004_title"),
        ("push", "0005_messages"),
    ]

    dependencies = [
        ("duels", "0002_second_release"),
        ("push", "0001_push"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="push",
            name="push_kind",
        ),
        migrations.RemoveConstraint(
            model_name="push",
            name="push_of_a_turn_or_a_test",
        ),
        migrations.AddField(
            model_name="push",
            name="title",
            field=models.CharField(db_default="Your turn against {others}", max_length=100),
        ),
        migrations.AddField(
            model_name="push",
            name="was_interrupted",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="pushchoice",
            name="messages",
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.AlterField(
            model_name="push",
            name="dropped_for",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "not dropped"),
                    ("gone", "notifications are off on the device"),
                    ("outdated", "out of date"),
                    ("read", "read on the site"),
                    ("unwanted", "not chosen"),
                    ("limited", "too many notifications"),
                    ("refused", "its push service is not supported"),
                ],
                default="",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="push",
            name="kind",
            field=models.CharField(
                choices=[
                    ("turn", "your turn"),
                    ("reminder", "your time is running out"),
                    ("message", "a message to you"),
                    ("test", "a test"),
                ],
                max_length=8,
            ),
        ),
        migrations.AddConstraint(
            model_name="push",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["turn", "reminder", "message", "test"])),
                name="push_kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="push",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("duel__isnull", True),
                        ("kind__in", ("message", "test")),
                        ("turn__isnull", True),
                    ),
                    models.Q(
                        models.Q(("kind__in", ("message", "test")), _negated=True),
                        ("duel__isnull", False),
                        ("turn__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="push_of_a_turn_or_without_duel",
            ),
        ),
    ]
