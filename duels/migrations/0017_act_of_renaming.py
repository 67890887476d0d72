"""Add an index of acts that rename wizards, which pages of former names look up."""

from django.db import migrations, models

from spellcaster.index_operations import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("duels", "0016_draw_declined"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="act",
            index=models.Index(
                models.F("id"), condition=models.Q(("kind", "rename")), name="act_of_renaming"
            ),
        ),
    ]
