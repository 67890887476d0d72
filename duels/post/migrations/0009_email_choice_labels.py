"""Update the labels of the choices of when to send emails."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("post", "0008_messages"),
    ]

    operations = [
        migrations.AlterField(
            model_name="duelmailchoice",
            name="when",
            field=models.CharField(
                choices=[
                    ("every", "at once, for every turn and other news"),
                    ("visit", "once, then not again until I open the duel"),
                    ("daily", "once a day, with all news in one email"),
                    ("off", "never, not even when my time is nearly over"),
                ],
                max_length=5,
            ),
        ),
        migrations.AlterField(
            model_name="mailchoice",
            name="when",
            field=models.CharField(
                choices=[
                    ("every", "at once, for every turn and other news"),
                    ("visit", "once, then not again until I open the duel"),
                    ("daily", "once a day, with all news in one email"),
                    ("off", "never, not even when my time is nearly over"),
                ],
                default="every",
                max_length=5,
            ),
        ),
    ]
