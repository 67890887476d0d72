"""Add the index with which the bell counts unread notices."""

from django.db import migrations, models

from spellcaster.index_operations import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("post", "0009_email_choice_labels"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="notice",
            index=models.Index(
                condition=models.Q(("is_unread", True)), fields=["wizard"], name="notice_unread"
            ),
        ),
    ]
