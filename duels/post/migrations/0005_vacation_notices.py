"""Opponents are told of a vacation."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0017_vacations"),
        ("post", "0004_pause_notices"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="notice",
            name="notice_kind",
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
                    ("excused", "your time was over, and an excuse used"),
                    ("played_for", "default orders were sealed for you"),
                    ("claimable", "you may claim the duel"),
                    ("pause_asked", "a pause, or its end, was asked for"),
                    ("paused", "the clocks stand"),
                    ("went_on", "the clocks go on"),
                    ("time_given", "you were given time"),
                    ("vacation", "an opponent is on vacation"),
                    ("lapsed", "a challenge came to nothing"),
                    ("over", "the duel is over"),
                ],
                max_length=12,
            ),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "challenged",
                            "accepted",
                            "declined",
                            "started",
                            "your_turn",
                            "question",
                            "draw_offered",
                            "reminder",
                            "excused",
                            "played_for",
                            "claimable",
                            "pause_asked",
                            "paused",
                            "went_on",
                            "time_given",
                            "vacation",
                            "lapsed",
                            "over",
                        ],
                    )
                ),
                name="notice_kind",
            ),
        ),
    ]
