"""Model for checks of whether a release plays running duels in the same way as earlier releases."""

from django.db import models

from duels.models.turns import RELEASE_LENGTH


class ReleaseCheck(models.Model):
    """The result of a check in which a release replayed the last turns of running duels. Promise 13

    The latest check belongs to the active release. Only that release resumes duels on hold.
    """

    fingerprint = models.CharField(max_length=64)  # `duels.proof.release`
    release = models.CharField(max_length=RELEASE_LENGTH)
    checked_at = models.DateTimeField()
    turns = models.PositiveIntegerField(default=0)  # replayed
    held = models.JSONField(default=list, blank=True)  # rulesets played differently
    words = models.TextField(blank=True)  # one line for each turn that differs

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"release {self.release} ({self.fingerprint[:8]})"
