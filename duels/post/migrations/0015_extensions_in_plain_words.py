"""An excuse is called an extension."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("post", "0014_guest_address"),
    ]

    operations = [
        migrations.AlterField(
            model_name="notice",
            name="kind",
            field=models.CharField(
                choices=[
                    ("challenged", "you were challenged"),
                    ("accepted", "your challenge was accepted"),
                    ("declined", "your challenge was declined"),
                    ("started", "the duel has begun"),
                    ("your_turn", "your turn"),
                    ("question", "a question for you"),
                    ("draw_offered", "a draw was offered"),
                    ("reminder", "your time is nearly over"),
                    ("excused", "your time was extended"),
                    ("played_for", "default orders were sealed for you"),
                    ("claimable", "you may claim the duel"),
                    ("pause_asked", "a pause, or its end, was asked for"),
                    ("paused", "the clocks are stopped"),
                    ("went_on", "the clocks go on"),
                    ("time_given", "you were given time"),
                    ("vacation", "an opponent is on vacation"),
                    ("returned", "an opponent is back early"),
                    ("said", "words were said"),
                    ("lapsed", "a challenge ended without a duel"),
                    ("answered", "an answer to a mail"),
                    ("disputed", "a dispute, or a word in one"),
                    ("ruled", "a referee has ruled"),
                    ("refereed", "a referee has acted"),
                    ("over", "the duel is over"),
                ],
                max_length=12,
            ),
        ),
    ]
