"""Indexes that hold what each list shows, in its order; those that they replace go."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0009_fill_duel_ended_at"),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="duel",
            name="duel_running",
        ),
        migrations.RemoveIndex(
            model_name="duel",
            name="duel_over",
        ),
        migrations.RemoveIndex(
            model_name="seat",
            name="seat_playing",
        ),
        migrations.AddIndex(
            model_name="duel",
            index=models.Index(
                models.OrderBy(models.F("created_at"), descending=True),
                models.OrderBy(models.F("id"), descending=True),
                condition=models.Q(("open", True), ("status", "gathering")),
                name="duel_open",
            ),
        ),
        migrations.AddIndex(
            model_name="duel",
            index=models.Index(
                models.OrderBy(models.F("started_at"), descending=True),
                models.OrderBy(models.F("id"), descending=True),
                condition=models.Q(("status", "running"), ("visibility", "public")),
                name="duel_to_watch",
            ),
        ),
        migrations.AddIndex(
            model_name="duel",
            index=models.Index(
                models.OrderBy(models.F("ended_at"), descending=True),
                models.OrderBy(models.F("id"), descending=True),
                condition=models.Q(("status", "over"), ("visibility", "public")),
                name="duel_to_read",
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                models.F("wizard"),
                models.OrderBy(models.F("duel"), descending=True),
                condition=models.Q(("duel_ended_at__isnull", True), ("place__isnull", True)),
                name="seat_challenged",
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                models.F("wizard"),
                models.OrderBy(models.F("duel"), descending=True),
                models.F("awaited"),
                condition=models.Q(("duel_ended_at__isnull", True), ("place__isnull", False)),
                name="seat_going_on",
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                models.F("wizard"),
                models.OrderBy(models.F("duel_ended_at"), descending=True),
                models.OrderBy(models.F("duel"), descending=True),
                condition=models.Q(("duel_ended_at__isnull", False), ("place__isnull", False)),
                name="seat_finished",
            ),
        ),
        migrations.AddIndex(
            model_name="wizard",
            index=models.Index(
                models.F("slug"),
                condition=models.Q(
                    ("closed_at__isnull", True), ("kind__in", ["player", "practice"])
                ),
                name="wizard_listed",
            ),
        ),
    ]
