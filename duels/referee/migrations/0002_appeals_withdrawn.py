"""An appeal that is withdrawn leaves the others theirs: it stays beside the one that stands."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("referee", "0001_cases"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="appeal",
            options={"ordering": ("pk",)},
        ),
        migrations.AddField(
            model_name="appeal",
            name="withdrawn_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="appeal",
            name="case",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="appeals",
                to="referee.case",
            ),
        ),
        migrations.AddConstraint(
            model_name="appeal",
            constraint=models.UniqueConstraint(
                models.F("case"), models.F("wizard"), name="appeal_once_of_each_wizard"
            ),
        ),
        migrations.AddConstraint(
            model_name="appeal",
            constraint=models.UniqueConstraint(
                models.F("case"),
                condition=models.Q(("withdrawn_at__isnull", True)),
                name="appeal_stands_alone",
            ),
        ),
    ]
