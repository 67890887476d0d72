"""Base model for messages to people. A message is stored in the transaction that causes it, and
delivered once after the commit."""

from django.db import models


class OutboxStatus(models.TextChoices):
    QUEUED = "queued", "queued"
    SENDING = "sending", "being sent"
    SENT = "sent", "sent"
    FAILED = "failed", "given up"
    DROPPED = "dropped", "not sent"


# Start of `last_error` if the server or service rejected the message.
REFUSED_ERROR_PREFIX = "refused"

# Final states. Messages in these states are sent again only on request.
FINISHED_STATUSES = (OutboxStatus.SENT, OutboxStatus.FAILED, OutboxStatus.DROPPED)


class OutboxRow(models.Model):
    """A message to a person, with its delivery status (`duels.delivery.outbox`)."""

    status = models.CharField(max_length=8, choices=OutboxStatus, default=OutboxStatus.QUEUED)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()  # moved to a later time after each failure
    claimed_at = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    last_error = models.TextField(blank=True)
    # Whether a worker died while sending the message. The server may have accepted it before.
    was_interrupted = models.BooleanField(default=False, db_default=False)

    class Meta:
        abstract = True

    @property
    def is_finished(self) -> bool:
        """Whether the message has reached a final state, and is sent again only on request."""
        return self.status in FINISHED_STATUSES

    @property
    def is_probably_sent(self) -> bool:
        """Whether a worker died while sending the message, and no worker sent it again.

        A worker that sends a message spends most of that time waiting for the server's answer, so
        it had probably handed over the message. But if the server rejected a second attempt, it had
        probably not accepted the first one either.
        """
        is_ended = self.status == OutboxStatus.DROPPED or (
            self.status == OutboxStatus.FAILED
            and not self.last_error.startswith(REFUSED_ERROR_PREFIX)
        )
        return self.was_interrupted and is_ended
