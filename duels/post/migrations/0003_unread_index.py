"""Add the index with which the bell counts unread notices.

It replaces a migration from after release 0.1.0.
"""

from django.db import migrations, models

from spellcaster.index_operations import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    replaces = [("post", "0010_unread_index")]

    dependencies = [
        ("post", "0002_second_release"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="notice",
            index=models.Index(
                condition=models.Q(("is_unread", True)), fields=["wizard"], name="notice_unread"
            ),
        ),
    ]
