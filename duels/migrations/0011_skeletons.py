"""What wizards' names look like, made anew by Unicode's list of letters that look alike.

It asks `duels.names`, whose answer is what new names are held against. Of two names that are found
to look alike only now, the later one keeps its old skeleton: both were given, and both stay.
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from duels.names import skeleton


def make_anew(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Stores the skeleton of every name of which it has changed, as far as nobody else has it."""
    wizards = apps.get_model("duels", "Wizard").objects.using(schema_editor.connection.alias)
    taken = dict(wizards.values_list("skeleton", "pk"))
    for pk, name, old in wizards.order_by("pk").values_list("pk", "name", "skeleton").iterator():
        new = skeleton(name)
        if new not in taken:
            wizards.filter(pk=pk).update(skeleton=new)
            del taken[old]
            taken[new] = pk


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0010_list_indexes"),
    ]

    operations = [
        migrations.RunPython(make_anew, migrations.RunPython.noop, elidable=True),
    ]
