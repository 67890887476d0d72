"""Labels of cases, rulings, notes and assignments."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("referee", "0001_first_release"),
    ]

    operations = [
        migrations.AlterField(
            model_name="assignment",
            name="kind",
            field=models.CharField(
                choices=[
                    ("claimed", "claimed"),
                    ("handed_over", "handed over"),
                    ("given_back", "returned"),
                ],
                max_length=11,
            ),
        ),
        migrations.AlterField(
            model_name="case",
            name="category",
            field=models.CharField(
                choices=[
                    ("rule", "A rule was misplayed"),
                    ("deadline", "A deadline or a clock"),
                    ("conduct", "Conduct or messages"),
                    ("cheating", "Cheating"),
                    ("name", "A name"),
                    ("other", "Something else"),
                ],
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="case",
            name="status",
            field=models.CharField(
                choices=[
                    ("open", "waiting for a referee"),
                    ("claimed", "with a referee"),
                    ("ruled", "ruled"),
                    ("appealed", "waiting for another referee"),
                    ("closed", "closed without a ruling"),
                    ("withdrawn", "withdrawn"),
                ],
                default="open",
                max_length=9,
            ),
        ),
        migrations.AlterField(
            model_name="note",
            name="audience",
            field=models.CharField(
                choices=[("referees", "for referees only"), ("players", "for the players too")],
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="ruling",
            name="verdict",
            field=models.CharField(
                choices=[
                    ("engine_right", "The engine was right"),
                    ("engine_wrong", "The engine was wrong"),
                    ("deadline_stands", "The deadline applies"),
                    ("deadline_unfair", "The deadline should not count against the wizard"),
                    ("conduct", "Unacceptable conduct"),
                    ("no_conduct", "Nothing wrong was done or said"),
                    ("cheated", "It was cheating"),
                    ("not_cheated", "There was no cheating"),
                    ("abuse", "The dispute itself was abusive"),
                    ("other", "Something else"),
                ],
                max_length=15,
            ),
        ),
    ]
