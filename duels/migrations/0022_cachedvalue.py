"""A table for what the shared cache holds while Redis is away."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0021_referees"),
    ]

    operations = [
        migrations.CreateModel(
            name="CachedValue",
            fields=[
                (
                    "key",
                    models.CharField(max_length=250, primary_key=True, serialize=False),
                ),
                ("value", models.JSONField()),
                ("expires_at", models.DateTimeField(db_index=True)),
            ],
        ),
    ]
