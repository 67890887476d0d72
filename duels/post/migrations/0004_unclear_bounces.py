"""Bounces without a clear reason, which turn an address off only if there are several."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0002_labels"),
        ("post", "0003_interrupted_delivery"),
    ]

    operations = [
        migrations.CreateModel(
            name="UnclearBounce",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.EmailField(max_length=254)),
                ("email", models.CharField(max_length=255)),
                ("sent_at", models.DateTimeField()),
                (
                    "wizard",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="unclear_bounces",
                        to="duels.wizard",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("wizard"), models.F("email"), name="unclear_bounce_once"
                    )
                ],
            },
        ),
    ]
