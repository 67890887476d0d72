"""An index of what can be pruned."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("post", "0002_clock_notices")]

    operations = [
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(
                models.F("created_at"),
                condition=models.Q(("status__in", ("sent", "failed", "dropped"))),
                name="notice_finished",
            ),
        ),
    ]
