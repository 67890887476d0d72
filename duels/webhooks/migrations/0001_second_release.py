"""Add webhooks and their messages.

It replaces the migrations from after release 0.1.0; a database must have either none or all of
them.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [("webhooks", "0001_webhooks")]

    initial = True

    dependencies = [
        ("duels", "0002_second_release"),
    ]

    operations = [
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "service",
                    models.CharField(
                        choices=[
                            ("discord", "Discord"),
                            ("slack", "Slack"),
                            ("matrix", "Matrix"),
                            ("ntfy", "ntfy"),
                        ],
                        max_length=7,
                    ),
                ),
                ("host", models.CharField(max_length=253)),
                ("secret", models.TextField(editable=False)),
                ("created_at", models.DateTimeField()),
                ("failing_since", models.DateTimeField(blank=True, null=True)),
                ("turned_off_at", models.DateTimeField(blank=True, null=True)),
                ("responses", models.JSONField(blank=True, default=list, editable=False)),
                (
                    "duel",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhooks",
                        to="duels.duel",
                    ),
                ),
                (
                    "wizard",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhooks",
                        to="duels.wizard",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("service__in", ["discord", "slack", "matrix", "ntfy"])),
                        name="webhook_service",
                    ),
                    models.UniqueConstraint(
                        models.F("wizard"), models.F("duel"), name="webhook_of_duel_once"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="WebhookMessage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("queued", "queued"),
                            ("sending", "being sent"),
                            ("sent", "sent"),
                            ("failed", "given up"),
                            ("dropped", "not sent"),
                        ],
                        default="queued",
                        max_length=8,
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("due_at", models.DateTimeField()),
                ("claimed_at", models.DateTimeField(blank=True, null=True)),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("last_error", models.TextField(blank=True)),
                ("was_interrupted", models.BooleanField(db_default=False, default=False)),
                ("remote_id", models.CharField(blank=True, max_length=255)),
                ("shown", models.CharField(blank=True, max_length=64)),
                (
                    "duel",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="duels.duel",
                    ),
                ),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="messages",
                        to="webhooks.webhook",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        models.F("due_at"),
                        condition=models.Q(("status", "queued")),
                        name="webhook_to_send",
                    ),
                    models.Index(
                        models.F("claimed_at"),
                        condition=models.Q(("status", "sending")),
                        name="webhook_stuck",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("status__in", ["queued", "sending", "sent", "failed", "dropped"])
                        ),
                        name="webhook_message_status",
                    ),
                    models.UniqueConstraint(
                        models.F("webhook"), models.F("duel"), name="webhook_message_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status", "sent"), _negated=True),
                            ("sent_at__isnull", False),
                            _connector="OR",
                        ),
                        name="webhook_message_sent_at",
                    ),
                ],
            },
        ),
    ]
