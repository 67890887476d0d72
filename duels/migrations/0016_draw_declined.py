"""Add the turn in which a wizard's offer of a draw was declined."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0015_about_wizards"),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="draw_declined_in",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
    ]
