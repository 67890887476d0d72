"""Add an index of acts that rename wizards, which pages of former names look up."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0016_draw_declined"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="act",
            index=models.Index(
                models.F("id"), condition=models.Q(("kind", "rename")), name="act_of_renaming"
            ),
        ),
    ]
