"""Add the time and the reason of the removal of messages by referees."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("wizard_messages", "0001_messages"),
    ]

    operations = [
        migrations.AddField(
            model_name="message",
            name="removed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="message",
            name="removed_for",
            field=models.CharField(blank=True, db_default="", default="", max_length=1000),
        ),
    ]
