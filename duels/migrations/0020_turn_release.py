from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0019_time_given_back"),
    ]

    operations = [
        migrations.AddField(
            model_name="turn",
            name="release",
            field=models.CharField(blank=True, default="", max_length=20),
        ),
    ]
