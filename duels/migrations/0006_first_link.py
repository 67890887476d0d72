"""The first link of a duel, which also commits to its dice."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0005_site_keys"),
    ]

    operations = [
        migrations.AddField(
            model_name="duel",
            name="chain",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
        migrations.AlterField(
            model_name="duel",
            name="link_format",
            field=models.PositiveSmallIntegerField(default=4),
        ),
    ]
