"""A digest of the own text of each reply, so that the same text is not answered each time."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("replies", "0002_labels"),
    ]

    operations = [
        migrations.AddField(
            model_name="reply",
            name="text_digest",
            field=models.CharField(db_default="", default="", max_length=64),
        ),
    ]
