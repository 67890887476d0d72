"""Update the labels of choices."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("replies", "0001_replies"),
    ]

    operations = [
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
