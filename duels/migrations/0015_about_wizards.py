"""Add a line that wizards write about themselves, and the last day on which they were here."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0014_paired"),
    ]

    operations = [
        migrations.AddField(
            model_name="wizard",
            name="about",
            field=models.CharField(blank=True, db_default="", default="", max_length=200),
        ),
        migrations.AddField(
            model_name="wizard",
            name="shows_last_seen",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="wizard",
            name="seen_on",
            field=models.DateField(blank=True, null=True),
        ),
    ]
