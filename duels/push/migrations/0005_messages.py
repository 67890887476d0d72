"""Add notifications of private messages, which have no duel."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0012_rated"),
        ("push", "0004_title"),
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
            model_name="pushchoice",
            name="messages",
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.AlterField(
            model_name="push",
            name="kind",
            field=models.CharField(
                choices=[
                    ("turn", "your turn"),
                    ("reminder", "your time is nearly over"),
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
