from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0028_void_turns"),
    ]

    operations = [
        migrations.CreateModel(
            name="ReleaseCheck",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("fingerprint", models.CharField(max_length=64)),
                ("release", models.CharField(max_length=20)),
                ("checked_at", models.DateTimeField()),
                ("turns", models.PositiveIntegerField(default=0)),
                ("held", models.JSONField(blank=True, default=list)),
                ("words", models.TextField(blank=True)),
            ],
            options={
                "ordering": ("-pk",),
            },
        ),
        migrations.AddField(
            model_name="duel",
            name="held_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
