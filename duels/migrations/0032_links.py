from django.db import migrations, models


class Migration(migrations.Migration):
    """Duels that are there have links of the first format; those to come cover whole turns."""

    dependencies = [
        ("duels", "0031_account_closing"),
    ]

    operations = [
        migrations.AddField(
            model_name="duel",
            name="link_format",
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AlterField(
            model_name="duel",
            name="link_format",
            field=models.PositiveSmallIntegerField(default=2),
        ),
        migrations.AddField(
            model_name="turn",
            name="acts",
            field=models.PositiveIntegerField(default=0),
        ),
    ]
