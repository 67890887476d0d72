"""Add the secret addresses of calendars."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("duels", "0012_rated"),
    ]

    operations = [
        migrations.CreateModel(
            name="CalendarKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("token", models.CharField(max_length=43, unique=True)),
                ("created_at", models.DateTimeField()),
                (
                    "wizard",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="calendar_key",
                        to="duels.wizard",
                    ),
                ),
            ],
        ),
    ]
