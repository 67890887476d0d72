"""Messages to people, written in the transaction they are about and delivered once, afterwards."""

from django.db import models


class OutboxStatus(models.TextChoices):
    QUEUED = "queued", "queued"
    SENDING = "sending", "being sent"
    SENT = "sent", "sent"
    FAILED = "failed", "given up"
    DROPPED = "dropped", "not sent"


# Final states, unless a message is requested again.
FINISHED = (OutboxStatus.SENT, OutboxStatus.FAILED, OutboxStatus.DROPPED)


class OutboxRow(models.Model):
    """A message to a person and its delivery status, which `duels.outbox` updates."""

    status = models.CharField(max_length=8, choices=OutboxStatus, default=OutboxStatus.QUEUED)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()  # later after a failure
    claimed_at = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    last_error = models.TextField(blank=True)

    class Meta:
        abstract = True

    @property
    def is_finished(self) -> bool:
        """Whether it is in a final state, unless it is requested again."""
        return self.status in FINISHED
