"""Search terms of finished public duels, and duels of the day.

The terms can be recomputed from the duels' turns.
"""

from django.db import models
from django.db.models import Q

from duels.models import Duel
from duels.models.constraints import partial_index

MAX_REASON_LENGTH = 300


class ArchivedDuel(models.Model):
    """A finished public duel. Wizards are stored by id, because their names can change.

    All columns except `watched` can be recomputed from the duel's turns.

    On PostgreSQL, GIN indexes find rows by `codes` and by `lexemes`, a column that PostgreSQL
    computes from `words` (see the first migration).
    """

    duel = models.OneToOneField(Duel, models.CASCADE, primary_key=True, related_name="archived")
    ended_at = models.DateTimeField()
    turns = models.PositiveIntegerField()  # number of the last turn that was played
    # The rating of the highest-rated wizard before the duel, or None if the duel was not rated.
    rating = models.PositiveSmallIntegerField(null=True, blank=True)
    # The largest number of spectators that the site counted at the same time during the duel.
    # It is not part of the duel's record and cannot be recomputed.
    watched = models.PositiveIntegerField(default=0, db_default=0)
    codes = models.TextField()  # codes separated by spaces, as in `contents`
    words = models.TextField()  # each word of the reports once, without names and messages

    class Meta:
        indexes = [
            models.Index("ended_at", "duel", name="archived_by_end"),
            models.Index("turns", "duel", name="archived_by_turns"),
            partial_index("archived_by_rating", "rating", "duel", rows=Q(rating__isnull=False)),
            partial_index("archived_by_watched", "watched", "duel", rows=Q(watched__gt=0)),
        ]

    def __str__(self) -> str:
        return f"archived duel {self.duel_id}"


class DailyDuel(models.Model):
    """The duel of a day (UTC) and the reason. Removing it from the archive deletes this row."""

    day = models.DateField(primary_key=True)
    archived = models.OneToOneField(ArchivedDuel, models.CASCADE, related_name="daily")
    reason = models.CharField(max_length=MAX_REASON_LENGTH)

    def __str__(self) -> str:
        return f"duel of {self.day}"
