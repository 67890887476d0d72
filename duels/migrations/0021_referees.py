"""The group of those who judge disputes. It gives none of Django's permissions."""

from typing import Any

from django.db import migrations


def make_group(apps: Any, schema_editor: Any) -> None:
    apps.get_model("auth", "Group").objects.get_or_create(name="referees")


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0020_turn_release"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    # Going back, the group stays, with its members: it does no harm, and coming again finds it.
    operations = [migrations.RunPython(make_group, migrations.RunPython.noop)]
