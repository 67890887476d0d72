"""The outbox, in the table that `duels` handed over: nothing changes in the database."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("duels", "0007_hand_over_notices"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[],
            state_operations=[
                migrations.CreateModel(
                    name="Notice",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("challenged", "you were challenged"),
                                    ("accepted", "your challenge was accepted"),
                                    ("declined", "your challenge was declined"),
                                    ("started", "the duel has begun"),
                                    ("your_turn", "your turn"),
                                    ("question", "a question for you"),
                                    ("draw_offered", "a draw was offered"),
                                    ("over", "the duel is over"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("key", models.CharField(max_length=100, unique=True)),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("queued", "queued"),
                                    ("sending", "being sent"),
                                    ("sent", "sent"),
                                    ("failed", "given up"),
                                    ("dropped", "nobody to send it to"),
                                ],
                                default="queued",
                                max_length=8,
                            ),
                        ),
                        ("created_at", models.DateTimeField()),
                        ("due_at", models.DateTimeField()),
                        ("claimed_at", models.DateTimeField(blank=True, null=True)),
                        ("sent_at", models.DateTimeField(blank=True, null=True)),
                        ("attempts", models.PositiveSmallIntegerField(default=0)),
                        ("last_error", models.TextField(blank=True)),
                        (
                            "about",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="notices_about",
                                to="duels.wizard",
                            ),
                        ),
                        (
                            "duel",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="notices",
                                to="duels.duel",
                            ),
                        ),
                        (
                            "turn",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="notices",
                                to="duels.turn",
                            ),
                        ),
                        (
                            "wizard",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="notices",
                                to="duels.wizard",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                models.F("due_at"),
                                condition=models.Q(("status", "queued")),
                                name="notice_to_send",
                            ),
                            models.Index(
                                models.F("claimed_at"),
                                condition=models.Q(("status", "sending")),
                                name="notice_stuck",
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
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
                                            "over",
                                        ],
                                    )
                                ),
                                name="notice_kind",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "status__in",
                                        ["queued", "sending", "sent", "failed", "dropped"],
                                    )
                                ),
                                name="notice_status",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("status", "sent"), _negated=True),
                                    ("sent_at__isnull", False),
                                    _connector="OR",
                                ),
                                name="notice_sent_at",
                            ),
                        ],
                    },
                ),
            ],
        )
    ]
