"""When wizards want mails, and why a notice was not sent."""

import django.db.models.deletion
from django.db import migrations, models

WHEN = [
    ("every", "at every turn"),
    ("visit", "once, until I look at the duel"),
    ("daily", "once a day, all together"),
    ("off", "never"),
]


def when_constraint(name: str) -> models.CheckConstraint:
    return models.CheckConstraint(
        condition=models.Q(("when__in", ["every", "visit", "daily", "off"])), name=name
    )


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0016_pauses"),
        ("post", "0005_vacation_notices"),
    ]

    operations = [
        migrations.CreateModel(
            name="MailChoice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("when", models.CharField(choices=WHEN, default="every", max_length=5)),
                ("hour", models.PositiveSmallIntegerField(default=8)),
                ("though_here", models.BooleanField(default=False)),
                (
                    "wizard",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mail_choice",
                        to="duels.wizard",
                    ),
                ),
            ],
            options={
                "constraints": [
                    when_constraint("mail_choice_when"),
                    models.CheckConstraint(
                        condition=models.Q(("hour__lte", 23)), name="mail_choice_hour"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DuelMailChoice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("when", models.CharField(choices=WHEN, max_length=5)),
                (
                    "duel",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mail_choices",
                        to="duels.duel",
                    ),
                ),
                (
                    "wizard",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="duel_mail_choices",
                        to="duels.wizard",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("wizard"), models.F("duel"), name="duel_mail_choice_once"
                    ),
                    when_constraint("duel_mail_choice_when"),
                ],
            },
        ),
        migrations.AddField(
            model_name="notice",
            name="daily_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="notice",
            name="dropped_for",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "not dropped"),
                    ("no_address", "nobody to send it to"),
                    ("outdated", "out of date"),
                    ("read", "read on the site"),
                    ("unwanted", "mails are off"),
                    ("told", "told once since the last visit"),
                ],
                default="",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="notice",
            name="is_insisted_on",
            field=models.BooleanField(default=False),
        ),
        migrations.AlterField(
            model_name="notice",
            name="status",
            field=models.CharField(
                choices=[
                    ("queued", "queued"),
                    ("sending", "being sent"),
                    ("sent", "sent"),
                    ("failed", "given up"),
                    ("dropped", "not sent"),
                ],
                default="queued",
                max_length=8,
            ),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(
                models.F("wizard"),
                models.OrderBy(models.F("created_at"), descending=True),
                name="notice_told",
            ),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("dropped_for__in", ["", "no_address", "outdated", "read", "unwanted", "told"])
                ),
                name="notice_dropped_for",
            ),
        ),
    ]
