"""Words said between turns, and who does not want to read whose."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0003_question_words"),
    ]

    operations = [
        migrations.CreateModel(
            name="Mute",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Speech",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ordinal", models.PositiveIntegerField()),
                ("words", models.CharField(max_length=500)),
                ("said_at", models.DateTimeField()),
            ],
            options={"verbose_name_plural": "speeches", "ordering": ("duel", "pk")},
        ),
        migrations.AddField(
            model_name="mute",
            name="muted",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="muted_by",
                to="duels.wizard",
            ),
        ),
        migrations.AddField(
            model_name="mute",
            name="wizard",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="mutes", to="duels.wizard"
            ),
        ),
        migrations.AddField(
            model_name="speech",
            name="duel",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="speeches",
                to="duels.duel",
            ),
        ),
        migrations.AddField(
            model_name="speech",
            name="wizard",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="speeches",
                to="duels.wizard",
            ),
        ),
        migrations.AddConstraint(
            model_name="mute",
            constraint=models.UniqueConstraint(
                models.F("wizard"), models.F("muted"), name="mute_unique"
            ),
        ),
        migrations.AddConstraint(
            model_name="mute",
            constraint=models.CheckConstraint(
                condition=models.Q(("wizard", models.F("muted")), _negated=True),
                name="mute_another",
            ),
        ),
        migrations.AddIndex(
            model_name="speech",
            index=models.Index(
                models.F("duel"),
                models.OrderBy(models.F("id"), descending=True),
                name="speech_newest",
            ),
        ),
        migrations.AddIndex(
            model_name="speech",
            index=models.Index(models.F("wizard"), models.F("said_at"), name="speech_rate"),
        ),
        migrations.AddConstraint(
            model_name="speech",
            constraint=models.CheckConstraint(
                condition=models.Q(("words", ""), _negated=True), name="speech_says_something"
            ),
        ),
    ]
