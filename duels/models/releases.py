"""What each release was found to do to the duels that were running when it came."""

from django.db import models

from duels.models.turns import RELEASE_LENGTH


class ReleaseCheck(models.Model):
    """The last turns of running duels, played again by one release. Promise 13

    A row for each check. The last one is of the release that plays: only that one lets duels go
    on which had to stand.
    """

    fingerprint = models.CharField(max_length=64)  # `duels.release`
    release = models.CharField(max_length=RELEASE_LENGTH)
    checked_at = models.DateTimeField()
    turns = models.PositiveIntegerField(default=0)  # that were played again
    held = models.JSONField(default=list, blank=True)  # ids of rulesets that it plays otherwise
    words = models.TextField(blank=True)  # which turns come out otherwise, a line for each

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"release {self.release} ({self.fingerprint[:8]})"
