"""Messages to people, written in the transaction they are about and delivered once, afterwards."""

from django.db import models


class OutboxStatus(models.TextChoices):
    QUEUED = "queued", "queued"
    SENDING = "sending", "being sent"
    SENT = "sent", "sent"
    FAILED = "failed", "given up"
    DROPPED = "dropped", "not sent"


REFUSED = "refused"  # how `last_error` begins if the server or service has refused the message

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
    # A worker died while sending it, perhaps after the message was accepted.
    was_interrupted = models.BooleanField(default=False, db_default=False)

    class Meta:
        abstract = True

    @property
    def is_finished(self) -> bool:
        """Whether it is in a final state, unless it is requested again."""
        return self.status in FINISHED

    @property
    def is_probably_sent(self) -> bool:
        """Whether it was not sent again after a worker had died while sending it.

        A worker dies between the acceptance of a message and its mark more often than elsewhere,
        because it waits there for the server. A refusal shows that the first copy was not accepted.
        """
        is_ended = self.status == OutboxStatus.DROPPED or (
            self.status == OutboxStatus.FAILED and not self.last_error.startswith(REFUSED)
        )
        return self.was_interrupted and is_ended
