"""Add a delivery status to the emails about alarms."""

from django.db import migrations, models
from django.db.models.functions import Now

STATUSES = [
    ("queued", "queued"),
    ("sending", "being sent"),
    ("sent", "sent"),
    ("failed", "given up"),
    ("dropped", "not sent"),
]


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0002_labels"),
    ]

    operations = [
        migrations.RemoveIndex(model_name="alarm", name="alarm_untold"),
        migrations.AlterModelOptions(name="alarm", options={}),
        # The columns keep their names, which workers of the previous release use.
        migrations.AlterField(
            model_name="alarm",
            name="raised_at",
            field=models.DateTimeField(db_column="raised_at"),
        ),
        migrations.RenameField(model_name="alarm", old_name="raised_at", new_name="created_at"),
        migrations.AlterField(
            model_name="alarm",
            name="told_at",
            field=models.DateTimeField(blank=True, db_column="told_at", null=True),
        ),
        migrations.RenameField(model_name="alarm", old_name="told_at", new_name="sent_at"),
        migrations.AlterModelOptions(name="alarm", options={"ordering": ("-created_at", "-pk")}),
        migrations.AddField(
            model_name="alarm",
            name="status",
            field=models.CharField(
                choices=STATUSES, db_default="queued", default="queued", max_length=8
            ),
        ),
        migrations.AddField(
            model_name="alarm",
            name="due_at",
            field=models.DateTimeField(db_default=Now()),
        ),
        migrations.AddField(
            model_name="alarm",
            name="claimed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="alarm",
            name="attempts",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="alarm",
            name="last_error",
            field=models.TextField(blank=True, db_default=""),
        ),
        migrations.AddField(
            model_name="alarm",
            name="was_interrupted",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddConstraint(
            model_name="alarm",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("status__in", ["queued", "sending", "sent", "failed", "dropped"])
                ),
                name="alarm_status",
            ),
        ),
    ]
