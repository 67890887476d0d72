"""What wizards have saved for vacations, who is on one, and whose clock stands."""

import datetime

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0016_pauses"),
    ]

    operations = [
        migrations.AddField(
            model_name="wizard",
            name="vacation_began_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="wizard",
            name="vacation_counted_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="wizard",
            name="vacation_ends_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="wizard",
            name="vacation_saved",
            field=models.DurationField(blank=True, null=True),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                models.F("wizard"),
                condition=models.Q(("awaited", True), ("clock_left__isnull", False)),
                name="seat_standing",
            ),
        ),
        migrations.AddIndex(
            model_name="wizard",
            index=models.Index(
                models.F("vacation_ends_at"),
                condition=models.Q(("vacation_ends_at__isnull", False)),
                name="wizard_on_vacation",
            ),
        ),
        migrations.AddConstraint(
            model_name="wizard",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("vacation_counted_at__isnull", True), ("vacation_saved__isnull", True)
                    ),
                    models.Q(
                        ("vacation_counted_at__isnull", False),
                        ("vacation_saved__gte", datetime.timedelta(0)),
                        ("vacation_saved__isnull", False),
                        ("vacation_saved__lte", datetime.timedelta(days=30)),
                    ),
                    _connector="OR",
                ),
                name="wizard_vacation_saved",
            ),
        ),
        migrations.AddConstraint(
            model_name="wizard",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("vacation_began_at__isnull", True), ("vacation_ends_at__isnull", True)
                    ),
                    models.Q(
                        ("closed_at__isnull", True),
                        ("kind", "player"),
                        ("vacation_began_at__isnull", False),
                        ("vacation_counted_at__isnull", False),
                        ("vacation_ends_at__gt", models.F("vacation_began_at")),
                        ("vacation_ends_at__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="wizard_vacation",
            ),
        ),
    ]
