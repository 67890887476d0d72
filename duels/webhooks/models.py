"""Webhooks and their messages, one message for each duel."""

from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Q

from duels.models import Duel, OutboxRow, OutboxStatus, Wizard
from duels.models.constraints import check, one_of, partial_index

MAX_HOST_LENGTH = 253
MAX_REMOTE_ID_LENGTH = 255


class Service(models.TextChoices):
    DISCORD = "discord", "Discord"
    SLACK = "slack", "Slack"
    MATRIX = "matrix", "Matrix"
    NTFY = "ntfy", "ntfy"


class Webhook(models.Model):
    """A secret address to which the site posts about one or all of a wizard's duels."""

    wizard = models.ForeignKey(Wizard, models.CASCADE, related_name="webhooks")
    duel = models.ForeignKey(Duel, models.CASCADE, null=True, blank=True, related_name="webhooks")
    service = models.CharField(max_length=7, choices=Service)
    host = models.CharField(max_length=MAX_HOST_LENGTH)  # shown instead of the address
    secret = models.TextField(editable=False)  # the address and a token as JSON, encrypted
    created_at = models.DateTimeField()
    failing_since = models.DateTimeField(null=True, blank=True)  # since the first failure
    turned_off_at = models.DateTimeField(null=True, blank=True)
    responses = models.JSONField(default=list, blank=True, editable=False)  # latest responses first

    class Meta:
        constraints = [
            one_of("service", Service, name="webhook_service"),
            models.UniqueConstraint("wizard", "duel", name="webhook_of_duel_once"),
        ]

    def __str__(self) -> str:
        return f"webhook {self.pk} of {self.wizard_id}"

    @property
    def latest_responses(self) -> list[dict[str, Any]]:
        """The latest responses, each with its time, its status (or None) and its first words."""
        return [{**each, "at": datetime.fromisoformat(each["at"])} for each in self.responses]


class WebhookMessage(OutboxRow):
    """A webhook's message about a duel, or a test. To be edited, its row is queued again."""

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="messages")
    duel = models.ForeignKey(Duel, models.CASCADE, null=True, blank=True, related_name="+")
    # The message's id at the service, and a digest of its current text there.
    remote_id = models.CharField(max_length=MAX_REMOTE_ID_LENGTH, blank=True)
    shown = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [
            one_of("status", OutboxStatus, name="webhook_message_status"),
            models.UniqueConstraint("webhook", "duel", name="webhook_message_once"),
            check("webhook_message_sent_at", ~Q(status="sent") | Q(sent_at__isnull=False)),
        ]
        indexes = [
            partial_index("webhook_to_send", "due_at", rows=Q(status="queued")),
            partial_index("webhook_stuck", "claimed_at", rows=Q(status="sending")),
        ]

    def __str__(self) -> str:
        return f"webhook message {self.pk}"
