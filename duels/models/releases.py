"""Results of checks that a release plays running duels as earlier releases did."""

from django.db import models

from duels.models.turns import RELEASE_LENGTH


class ReleaseCheck(models.Model):
    """A check in which a release replayed the last turns of running duels. Promise 13

    The latest row is by the active release. Only that release resumes duels on hold.
    """

    fingerprint = models.CharField(max_length=64)  # `duels.proof.release`
    release = models.CharField(max_length=RELEASE_LENGTH)
    checked_at = models.DateTimeField()
    turns = models.PositiveIntegerField(default=0)  # replayed
    held = models.JSONField(default=list, blank=True)  # ids of rulesets it plays differently
    words = models.TextField(blank=True)  # one line for each turn that differs

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"release {self.release} ({self.fingerprint[:8]})"
