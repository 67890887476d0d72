"""Add the preference for emails with private messages."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("post", "0007_unread"),
    ]

    operations = [
        migrations.AddField(
            model_name="mailchoice",
            name="messages",
            field=models.BooleanField(db_default=True, default=True),
        ),
    ]
