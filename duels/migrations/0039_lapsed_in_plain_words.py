"""A challenge of which no duel came is called so where operators see it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0038_question_rounds"),
    ]

    operations = [
        migrations.AlterField(
            model_name="duel",
            name="status",
            field=models.CharField(
                choices=[
                    ("gathering", "gathering"),
                    ("lapsed", "ended without a duel"),
                    ("running", "running"),
                    ("paused", "paused"),
                    ("over", "over"),
                    ("annulled", "annulled"),
                ],
                default="gathering",
                max_length=10,
            ),
        ),
    ]
