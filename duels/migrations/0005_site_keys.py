"""Add the fingerprints of the site's keys, and alarms about processes."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0004_sent_alarms"),
    ]

    operations = [
        migrations.CreateModel(
            name="SiteKey",
            fields=[
                (
                    "purpose",
                    models.CharField(
                        choices=[("seals", "sealed orders"), ("links", "sessions and links")],
                        max_length=5,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("fingerprint", models.CharField(max_length=64)),
                ("earlier", models.JSONField(blank=True, default=list)),
                ("noted_at", models.DateTimeField()),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="alarm",
            name="alarm_kind",
        ),
        migrations.AlterField(
            model_name="alarm",
            name="kind",
            field=models.CharField(
                choices=[
                    ("turn", "a turn does not resolve"),
                    ("deadline", "deadlines of a duel fail"),
                    ("release", "this release plays a ruleset differently"),
                    ("keys", "a process has other keys"),
                    ("clock", "a process has a wrong clock"),
                ],
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            model_name="alarm",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["turn", "deadline", "release", "keys", "clock"])),
                name="alarm_kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="sitekey",
            constraint=models.CheckConstraint(
                condition=models.Q(("purpose__in", ["seals", "links"])), name="site_key_purpose"
            ),
        ),
    ]
