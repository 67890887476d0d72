"""Update the labels of choices."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("post", "0001_first_release"),
    ]

    operations = [
        migrations.AlterField(
            model_name="notice",
            name="dropped_for",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "not dropped"),
                    ("no_address", "no address to send it to"),
                    ("outdated", "out of date"),
                    ("read", "read on the site"),
                    ("unwanted", "emails are off"),
                    ("told", "already notified since the last visit"),
                    ("limited", "too many emails"),
                ],
                default="",
                max_length=10,
            ),
        ),
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
                    ("claimable", "you can claim the duel"),
                    ("pause_asked", "a request to pause or resume"),
                    ("paused", "the duel was paused"),
                    ("went_on", "the duel was resumed"),
                    ("time_given", "you were given more time"),
                    ("vacation", "an opponent is on vacation"),
                    ("returned", "an opponent is back early"),
                    ("said", "new messages"),
                    ("lapsed", "a challenge ended without a duel"),
                    ("answered", "a reply to your email"),
                    ("disputed", "news of a dispute"),
                    ("ruled", "a referee has ruled"),
                    ("refereed", "a referee has acted"),
                    ("over", "the duel is over"),
                ],
                max_length=12,
            ),
        ),
        migrations.AlterField(
            model_name="silencedaddress",
            name="cause",
            field=models.CharField(
                choices=[
                    ("refusal", "its server says that it does not exist"),
                    ("bounce", "an email bounced"),
                    ("complaint", "an email was reported as unwanted"),
                ],
                default="refusal",
                max_length=9,
            ),
        ),
    ]
