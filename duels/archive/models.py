"""Search terms of finished public duels. They can be computed again from the duels' turns."""

from django.db import models
from django.db.models import Q

from duels.models import Duel


class ArchivedDuel(models.Model):
    """A finished public duel. A row names wizards only by their ids, because names can change.

    On PostgreSQL, GIN indexes find rows by `codes` and by `lexemes`, a column that PostgreSQL
    computes from `words` (see the first migration).
    """

    duel = models.OneToOneField(Duel, models.CASCADE, primary_key=True, related_name="archived")
    ended_at = models.DateTimeField()
    turns = models.PositiveIntegerField()  # number of the last turn that was played
    # The highest rating of a wizard before the duel, if it was rated.
    rating = models.PositiveSmallIntegerField(null=True, blank=True)
    codes = models.TextField()  # separated by spaces; see `contents`
    words = models.TextField()  # each word of the reports once, without names and messages

    class Meta:
        indexes = [
            models.Index("ended_at", "duel", name="archived_by_end"),
            models.Index("turns", "duel", name="archived_by_turns"),
            models.Index(
                "rating", "duel", name="archived_by_rating", condition=Q(rating__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"archived duel {self.duel_id}"
