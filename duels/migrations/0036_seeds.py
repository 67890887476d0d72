from django.db import migrations, models


class Migration(migrations.Migration):
    """Duels may have several seeds. Those that are there keep links that say nothing of salts."""

    dependencies = [
        ("duels", "0035_names_of_duels"),
    ]

    operations = [
        migrations.AddField(
            model_name="duel",
            name="past_seeds",
            field=models.JSONField(blank=True, default=list, editable=False),
        ),
        migrations.AddField(
            model_name="duel",
            name="seed_roll_backs",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AlterField(
            model_name="duel",
            name="link_format",
            field=models.PositiveSmallIntegerField(default=3),
        ),
        migrations.AddField(
            model_name="turn",
            name="roll_backs",
            field=models.PositiveIntegerField(default=0),
        ),
    ]
