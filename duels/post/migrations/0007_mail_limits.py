"""A notice may be one too many."""

from django.db import migrations, models

WHY = [
    ("", "not dropped"),
    ("no_address", "nobody to send it to"),
    ("outdated", "out of date"),
    ("read", "read on the site"),
    ("unwanted", "mails are off"),
    ("told", "told once since the last visit"),
    ("limited", "one mail too many"),
]


class Migration(migrations.Migration):
    dependencies = [("post", "0006_mail_choices")]

    operations = [
        migrations.RemoveConstraint(model_name="notice", name="notice_dropped_for"),
        migrations.AlterField(
            model_name="notice",
            name="dropped_for",
            field=models.CharField(blank=True, choices=WHY, default="", max_length=10),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.CheckConstraint(
                condition=models.Q(("dropped_for__in", [code for code, _ in WHY])),
                name="notice_dropped_for",
            ),
        ),
    ]
