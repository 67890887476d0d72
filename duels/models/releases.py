"""Results of checking each release against the duels that were running at the time."""

from django.db import models

from duels.models.turns import RELEASE_LENGTH


class ReleaseCheck(models.Model):
    """A check by one release, which replayed the last turns of running duels. Promise 13

    The latest row belongs to the active release: only this release resumes duels that were held.
    """

    fingerprint = models.CharField(max_length=64)  # `duels.release`
    release = models.CharField(max_length=RELEASE_LENGTH)
    checked_at = models.DateTimeField()
    turns = models.PositiveIntegerField(default=0)  # replayed
    held = models.JSONField(default=list, blank=True)  # ids of rulesets that it plays differently
    words = models.TextField(blank=True)  # a line for each turn that differs

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"release {self.release} ({self.fingerprint[:8]})"
