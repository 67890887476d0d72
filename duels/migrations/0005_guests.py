"""Guests, the practice opponent, and duels that begin from a prepared position."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0004_speech"),
    ]

    operations = [
        migrations.AddField(
            model_name="duel", name="lesson", field=models.CharField(blank=True, max_length=20)
        ),
        migrations.AddField(
            model_name="duel",
            name="setup",
            field=models.JSONField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="wizard",
            name="guest_key",
            field=models.CharField(
                blank=True, editable=False, max_length=64, null=True, unique=True
            ),
        ),
        migrations.AddField(
            model_name="wizard",
            name="kept_until",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="wizard",
            name="kind",
            field=models.CharField(
                choices=[
                    ("player", "a player"),
                    ("guest", "a guest"),
                    ("practice", "the practice opponent"),
                ],
                default="player",
                max_length=8,
            ),
        ),
        migrations.AddIndex(
            model_name="wizard",
            index=models.Index(
                models.F("kept_until"), condition=models.Q(("kind", "guest")), name="wizard_guest"
            ),
        ),
        migrations.AddConstraint(
            model_name="wizard",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["player", "guest", "practice"])),
                name="wizard_kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="wizard",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("kind", "guest"), models.Q(("guest_key__isnull", True), _negated=True)
                    ),
                    models.Q(
                        models.Q(("kind", "guest"), _negated=True), ("guest_key__isnull", True)
                    ),
                    _connector="OR",
                ),
                name="wizard_guest_has_key",
            ),
        ),
        migrations.AddConstraint(
            model_name="wizard",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("kind", "guest"), models.Q(("kept_until__isnull", True), _negated=True)
                    ),
                    models.Q(
                        models.Q(("kind", "guest"), _negated=True), ("kept_until__isnull", True)
                    ),
                    _connector="OR",
                ),
                name="wizard_guest_is_kept_until",
            ),
        ),
        migrations.AddConstraint(
            model_name="wizard",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind", "player"), ("user__isnull", True), _connector="OR"),
                name="wizard_user_is_player",
            ),
        ),
        migrations.AddConstraint(
            model_name="wizard",
            constraint=models.UniqueConstraint(
                models.F("kind"),
                condition=models.Q(("kind", "practice")),
                name="wizard_one_practice",
            ),
        ),
    ]
