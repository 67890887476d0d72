"""Markers that the winners of duels took. rules: R114"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Marker",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("won_at", models.DateTimeField()),
                ("returned_at", models.DateTimeField(blank=True, null=True)),
                (
                    "bears",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="markers_lost",
                        to="duels.wizard",
                    ),
                ),
                (
                    "duel",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="markers",
                        to="duels.duel",
                    ),
                ),
                (
                    "holder",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="markers",
                        to="duels.wizard",
                    ),
                ),
                (
                    "returned_in",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="markers_returned",
                        to="duels.duel",
                    ),
                ),
            ],
            options={
                "ordering": ("won_at", "pk"),
                "indexes": [
                    models.Index(
                        models.F("holder"),
                        condition=models.Q(("returned_at__isnull", True)),
                        name="marker_held",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        models.F("duel"), models.F("bears"), name="marker_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("bears", models.F("holder")), _negated=True),
                        name="marker_of_another",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("returned_in__isnull", True),
                            ("returned_at__isnull", False),
                            _connector="OR",
                        ),
                        name="marker_returned_at",
                    ),
                ],
            },
        ),
    ]
