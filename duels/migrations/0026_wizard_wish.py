"""What somebody wishes for who signs up, kept until their address is verified."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0025_alarms"),
    ]

    operations = [
        migrations.CreateModel(
            name="WizardWish",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=24)),
                (
                    "pronouns",
                    models.CharField(
                        choices=[
                            ("he", "he / him"),
                            ("she", "she / her"),
                            ("they", "they / them"),
                            ("it", "it / its"),
                        ],
                        default="they",
                        max_length=4,
                    ),
                ),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="wizard_wish",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("pronouns__in", ["he", "she", "they", "it"])),
                        name="wizard_wish_pronouns",
                    )
                ],
            },
        ),
    ]
