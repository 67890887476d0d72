"""Add the preference for emails about followed wizards and duels."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("post", "0005_kinds_by_registry"),
    ]

    operations = [
        migrations.AddField(
            model_name="mailchoice",
            name="followed",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
