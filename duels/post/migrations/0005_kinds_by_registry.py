"""Let code define the kinds of notices, so that a new kind needs no migration."""

from django.db import migrations, models

from duels.post.kind_choices import kind_choices


class Migration(migrations.Migration):
    dependencies = [
        ("post", "0004_unclear_bounces"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="notice", name="notice_kind"),
        migrations.RemoveConstraint(model_name="notice", name="notice_of_a_duel"),
        migrations.AlterField(
            model_name="notice",
            name="kind",
            field=models.CharField(choices=kind_choices, max_length=40),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("duel__isnull", False), ("turn__isnull", True), _connector="OR"
                ),
                name="notice_turn_of_a_duel",
            ),
        ),
    ]
