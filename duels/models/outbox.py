"""What is sent to people: written with the change it tells of, delivered afterwards, once."""

from django.db import models


class OutboxStatus(models.TextChoices):
    QUEUED = "queued", "queued"
    SENDING = "sending", "being sent"
    SENT = "sent", "sent"
    FAILED = "failed", "given up"
    DROPPED = "dropped", "not sent"


# Nothing happens any more with what is one of these, unless somebody has it sent again.
FINISHED = (OutboxStatus.SENT, OutboxStatus.FAILED, OutboxStatus.DROPPED)


class OutboxRow(models.Model):
    """A message to somebody, and how far it has come; `duels.outbox` moves it on."""

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
        """Whether nothing happens with it any more, unless somebody asks for it again."""
        return self.status in FINISHED
