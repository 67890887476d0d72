"""Search terms of finished public duels, and duels of the day.

The terms can be computed again from the duels' turns.
"""

from django.db import models
from django.db.models import Q

from duels.models import Duel

REASON_LENGTH = 300


class ArchivedDuel(models.Model):
    """A finished public duel. A row names wizards only by their ids, because names can change.

    All columns except `watched` can be computed again from the duel's turns.

    On PostgreSQL, GIN indexes find rows by `codes` and by `lexemes`, a column that PostgreSQL
    computes from `words` (see the first migration).
    """

    duel = models.OneToOneField(Duel, models.CASCADE, primary_key=True, related_name="archived")
    ended_at = models.DateTimeField()
    turns = models.PositiveIntegerField()  # number of the last turn that was played
    # The highest rating of a wizard before the duel, if it was rated.
    rating = models.PositiveSmallIntegerField(null=True, blank=True)
    # The largest number of spectators at the same time while it was running, as the site counted
    # them. This is not part of the duel's record, and cannot be computed again.
    watched = models.PositiveIntegerField(default=0, db_default=0)
    codes = models.TextField()  # separated by spaces; see `contents`
    words = models.TextField()  # each word of the reports once, without names and messages

    class Meta:
        indexes = [
            models.Index("ended_at", "duel", name="archived_by_end"),
            models.Index("turns", "duel", name="archived_by_turns"),
            models.Index(
                "rating", "duel", name="archived_by_rating", condition=Q(rating__isnull=False)
            ),
            models.Index("watched", "duel", name="archived_by_watched", condition=Q(watched__gt=0)),
        ]

    def __str__(self) -> str:
        return f"archived duel {self.duel_id}"


class DailyDuel(models.Model):
    """The duel of a day (UTC), and the reason. If it leaves the archive, so does this row."""

    day = models.DateField(primary_key=True)
    archived = models.OneToOneField(ArchivedDuel, models.CASCADE, related_name="daily")
    reason = models.CharField(max_length=REASON_LENGTH)

    def __str__(self) -> str:
        return f"duel of {self.day}"
