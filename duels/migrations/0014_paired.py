"""Add whether the site found the opponents of a duel."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0013_counter_proposals"),
    ]

    operations = [
        migrations.AddField(
            model_name="duel",
            name="paired",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
