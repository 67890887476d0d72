"""Add what the bell needs: the page of each notice, and whether its reader has looked at it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0012_rated"),
        ("post", "0006_followed"),
    ]

    operations = [
        migrations.AddField(
            model_name="notice",
            name="path",
            field=models.CharField(blank=True, db_default="", max_length=400),
        ),
        migrations.AddField(
            model_name="notice",
            name="is_unread",
            field=models.BooleanField(db_default=False, default=True),
        ),
    ]
