"""Update the labels of choices."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("push", "0001_push"),
    ]

    operations = [
        migrations.AlterField(
            model_name="push",
            name="dropped_for",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "not dropped"),
                    ("gone", "notifications are off on the device"),
                    ("outdated", "out of date"),
                    ("read", "read on the site"),
                    ("unwanted", "not chosen"),
                    ("limited", "too many notifications"),
                    ("refused", "its push service is not supported"),
                ],
                default="",
                max_length=10,
            ),
        ),
    ]
