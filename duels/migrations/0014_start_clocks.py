"""Paces become times; duels that run get their deadlines from now, not from when they began."""

from datetime import timedelta

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.utils import timezone

DAY = 24 * 3600
SECONDS = {"day": DAY, "three_days": 3 * DAY, "week": 7 * DAY}
NO_HURRY = ("live", "unhurried")
EXCUSES = 2


def start_clocks(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    duels = apps.get_model("duels", "Duel").objects
    seats = apps.get_model("duels", "Seat").objects
    now = timezone.now()
    duels.filter(pace__in=NO_HURRY).update(pace="none")
    for pace, seconds in SECONDS.items():
        # Answers have a quarter of the time of orders; a reminder comes when a fifth is left.
        for stage, time in (("orders", seconds), ("answers", seconds // 4)):
            seats.filter(
                awaited=True,
                duel__pace=pace,
                duel__status="running",
                duel__turns__stage=stage,
            ).update(
                due_at=now + timedelta(seconds=time),
                remind_at=now + timedelta(seconds=time * 4 // 5),
            )
        duels.filter(pace=pace).update(pace=str(seconds))
    seats.filter(duel__status="running").update(excuses_left=EXCUSES)


def stop_clocks(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    duels = apps.get_model("duels", "Duel").objects
    for pace, seconds in SECONDS.items():
        duels.filter(pace=str(seconds)).update(pace=pace)
    # What had no name before is nearest to no hurry.
    duels.exclude(pace__in=SECONDS).update(pace="unhurried")


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0013_clocks"),
    ]

    operations = [
        migrations.RunPython(start_clocks, stop_clocks),
    ]
