"""A seat knows when its duel ended, so that an index can find a wizard's finished duels."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0007_hand_over_notices"),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="duel_ended_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
