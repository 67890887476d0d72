"""Add whether guests may take the free places of an open challenge."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0010_cache_table"),
    ]

    operations = [
        migrations.AddField(
            model_name="duel",
            name="open_to_guests",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
