"""Add the preference for emails with private messages, and why requests are not sent."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0012_rated"),
        ("post", "0007_unread"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="notice",
            name="notice_dropped_for",
        ),
        migrations.AddField(
            model_name="mailchoice",
            name="messages",
            field=models.BooleanField(db_default=True, default=True),
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
    ]
