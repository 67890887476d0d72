"""The running processes of the site."""

from datetime import timedelta

from django.db import models

KIND_LENGTH = 120
RELEASE_LENGTH = 60
LOST_AFTER = timedelta(seconds=150)  # a running process reports every minute


class RunningProcess(models.Model):
    """A process that can change data, and when it was last seen running.

    A web process is recorded only while it gets requests.
    """

    kind = models.CharField(max_length=KIND_LENGTH)  # "beat", "web process", or a command's name
    host = models.CharField(max_length=255)
    process_id = models.PositiveIntegerField()
    release = models.CharField(max_length=RELEASE_LENGTH)
    clock_ahead_seconds = models.FloatField()  # ahead of the database's clock
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint("kind", "host", "process_id", name="running_process_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind} (process {self.process_id} on {self.host})"
