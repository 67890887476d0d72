"""Mark notifications whose worker died while sending them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("push", "0002_labels"),
    ]

    operations = [
        migrations.AddField(
            model_name="push",
            name="was_interrupted",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
