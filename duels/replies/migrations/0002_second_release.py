"""Add a digest of the own text of each reply, and update labels.

It replaces the migrations from after release 0.1.0; a database must have either none or all of
them.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [("replies", "0002_labels"), ("replies", "0003_reply_text_digest")]

    dependencies = [
        ("replies", "0001_replies"),
    ]

    operations = [
        migrations.AddField(
            model_name="reply",
            name="text_digest",
            field=models.CharField(db_default="", default="", max_length=64),
        ),
        migrations.AlterField(
            model_name="reply",
            name="outcome",
            field=models.CharField(
                choices=[
                    ("sealed", "sealed"),
                    ("asked", "needs confirmation"),
                    ("unreadable", "a line could not be read"),
                    ("illegal", "against the rules"),
                    ("empty", "no orders found"),
                    ("refused", "rejected"),
                    ("other_address", "from another address"),
                    ("forged", "forged"),
                ],
                max_length=13,
            ),
        ),
    ]
