"""Addresses that mails came back from."""

import django.db.models.functions.text
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("post", "0008_answered_notices")]

    operations = [
        migrations.CreateModel(
            name="SilencedAddress",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.EmailField(max_length=254)),
                ("since", models.DateTimeField()),
                ("answer", models.CharField(max_length=20)),
            ],
            options={
                "verbose_name_plural": "silenced addresses",
                "constraints": [
                    models.UniqueConstraint(
                        django.db.models.functions.text.Lower("address"),
                        name="silenced_address_once",
                    ),
                ],
            },
        ),
    ]
