"""The database refuses what is no pace."""

from django.db import migrations, models

PACE_TEXT = r"^(none|[1-9][0-9]{2,6}|daily [0-9]{2}:[0-9]{2} .+)$"


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0014_start_clocks"),
    ]

    operations = [
        migrations.AddConstraint(
            model_name="duel",
            constraint=models.CheckConstraint(
                condition=models.Q(pace__regex=PACE_TEXT), name="duel_pace"
            ),
        ),
    ]
