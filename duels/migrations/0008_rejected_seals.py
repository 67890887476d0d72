"""Rejected seals, which are kept for the record."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0007_relink_recorded_draws"),
    ]

    operations = [
        migrations.AddField(
            model_name="turn",
            name="rejections",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.CreateModel(
            name="RejectedSeal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "stage",
                    models.CharField(
                        choices=[
                            ("orders", "orders"),
                            ("answers", "answers"),
                            ("resolved", "resolved"),
                            ("void", "not played"),
                        ],
                        default="orders",
                        max_length=8,
                    ),
                ),
                ("batch", models.PositiveSmallIntegerField(default=0)),
                ("before", models.PositiveSmallIntegerField()),
                ("body", models.TextField(editable=False)),
                ("commitment", models.CharField(max_length=64)),
                ("code", models.CharField(max_length=40)),
                ("rejected_at", models.DateTimeField()),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rejected_seals",
                        to="duels.seat",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rejected_seals",
                        to="duels.turn",
                    ),
                ),
            ],
            options={
                "ordering": ("turn", "pk"),
                "constraints": [
                    models.UniqueConstraint(
                        models.F("turn"),
                        models.F("commitment"),
                        models.F("code"),
                        name="rejected_seal_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("batch", 0), ("stage", "orders")),
                            models.Q(("batch__gte", 1), ("stage", "answers")),
                            _connector="OR",
                        ),
                        name="rejected_seal_stage",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("commitment__regex", "^[0-9a-f]{64}$")),
                        name="rejected_seal_commitment",
                    ),
                ],
            },
        ),
    ]
