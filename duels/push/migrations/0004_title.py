"""Add the titles of notifications, which the kinds of notices choose."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("push", "0003_interrupted_delivery"),
    ]

    operations = [
        migrations.AddField(
            model_name="push",
            name="title",
            field=models.CharField(db_default="Your turn against {others}", max_length=100),
        ),
    ]
