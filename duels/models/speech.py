"""Chat messages between turns."""

from django.db import models
from django.db.models import F, Q

from duels.models.constraints import check
from duels.models.duels import Duel
from duels.models.wizards import Wizard

MAX_SPEECH_LENGTH = 500


class Speech(models.Model):
    """A chat message in a duel, between turns or after the end.

    Messages cannot be edited. If a referee removes a message, it is kept in the database, but is no
    longer shown. Messages sent with orders are not stored here: they are part of the orders, and
    shown in the turn's report.
    """

    duel = models.ForeignKey(Duel, models.CASCADE, related_name="speeches")
    wizard = models.ForeignKey(Wizard, models.PROTECT, related_name="speeches")
    ordinal = models.PositiveIntegerField()  # ordinal of the open or the last turn
    words = models.CharField(max_length=MAX_SPEECH_LENGTH)
    said_at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True, blank=True)  # when a referee removed it

    class Meta:
        verbose_name_plural = "speeches"
        ordering = ("duel", "pk")
        constraints = [
            check("speech_says_something", ~Q(words="")),
        ]
        indexes = [
            models.Index("duel", F("id").desc(), name="speech_newest"),
            models.Index("wizard", "said_at", name="speech_rate"),
        ]

    def __str__(self) -> str:
        return f"speech {self.pk} in duel {self.duel_id}"
