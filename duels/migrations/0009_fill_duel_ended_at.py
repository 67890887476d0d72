"""Seats of duels that have ended already learn when."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import OuterRef, Subquery


def fill(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    duels = apps.get_model("duels", "Duel").objects.filter(pk=OuterRef("duel_id"))
    seats = apps.get_model("duels", "Seat").objects.filter(duel__ended_at__isnull=False)
    seats.update(duel_ended_at=Subquery(duels.values("ended_at")[:1]))


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0008_seat_duel_ended_at"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
