"""Words said between turns."""

from django.db import models
from django.db.models import F, Q

from duels.models.duels import Duel
from duels.models.wizards import Wizard

SPEECH_LENGTH = 500


class Speech(models.Model):
    """Words said in a duel between its turns, or after its end. Nobody edits them; a referee may
    remove them: then they lie in their row alone.

    What is said with a turn lies in its orders and is told by its report.
    """

    duel = models.ForeignKey(Duel, models.CASCADE, related_name="speeches")
    wizard = models.ForeignKey(Wizard, models.PROTECT, related_name="speeches")
    ordinal = models.PositiveIntegerField()  # of the turn that was open, or of the last one
    words = models.CharField(max_length=SPEECH_LENGTH)
    said_at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True, blank=True)  # by a referee: shown to nobody

    class Meta:
        verbose_name_plural = "speeches"
        ordering = ("duel", "pk")
        constraints = [
            models.CheckConstraint(condition=~Q(words=""), name="speech_says_something"),
        ]
        indexes = [
            models.Index("duel", F("id").desc(), name="speech_newest"),
            models.Index("wizard", "said_at", name="speech_rate"),
        ]

    def __str__(self) -> str:
        return f"speech {self.pk} in duel {self.duel_id}"
