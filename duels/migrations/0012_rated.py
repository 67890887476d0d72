"""Add whether a duel is rated. Earlier duels are friendly, because nobody agreed on a rating."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0011_open_to_guests"),
    ]

    operations = [
        migrations.AddField(
            model_name="duel",
            name="rated",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddConstraint(
            model_name="duel",
            constraint=models.CheckConstraint(
                condition=models.Q(("rated", False))
                | models.Q(("lesson", ""), ("visibility", "public")),
                name="duel_rated_is_public",
            ),
        ),
    ]
