"""Messages to people, stored in the transaction they are about and delivered once, after its
commit."""

from django.db import models


class OutboxStatus(models.TextChoices):
    QUEUED = "queued", "queued"
    SENDING = "sending", "being sent"
    SENT = "sent", "sent"
    FAILED = "failed", "given up"
    DROPPED = "dropped", "not sent"


REFUSED = "refused"  # start of `last_error` if the server or service refused the message

# Final states, unless a message is requested again.
FINISHED = (OutboxStatus.SENT, OutboxStatus.FAILED, OutboxStatus.DROPPED)


class OutboxRow(models.Model):
    """A message to a person and its delivery status, which `duels.delivery.outbox` updates."""

    status = models.CharField(max_length=8, choices=OutboxStatus, default=OutboxStatus.QUEUED)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()  # moved to a later time after a failure
    claimed_at = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    last_error = models.TextField(blank=True)
    # Whether a worker died while sending the message, perhaps after the server accepted it.
    was_interrupted = models.BooleanField(default=False, db_default=False)

    class Meta:
        abstract = True

    @property
    def is_finished(self) -> bool:
        """Whether the message is in a final state, unless it is requested again."""
        return self.status in FINISHED

    @property
    def is_probably_sent(self) -> bool:
        """Whether a worker died while sending the message, which was then not sent again.

        Workers spend most of their time waiting for the server to answer, so one that died had
        probably passed on the message. If the server refused it later, the first copy was not
        accepted either.
        """
        is_ended = self.status == OutboxStatus.DROPPED or (
            self.status == OutboxStatus.FAILED and not self.last_error.startswith(REFUSED)
        )
        return self.was_interrupted and is_ended
