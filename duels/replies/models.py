"""Mails that have come in with the token of a wizard and a turn."""

from django.db import models

from duels.models.constraints import one_of
from duels.models.turns import Turn
from duels.models.wizards import Wizard


class Outcome(models.TextChoices):
    """What came of a mail. Of the last six there is no row: nobody is named in them, or nobody is
    answered."""

    SEALED = "sealed", "sealed"
    ASKED = "asked", "asked back"  # these orders deserve a warning
    UNREADABLE = "unreadable", "a line could not be read"
    ILLEGAL = "illegal", "against the rules"
    EMPTY = "empty", "nothing written"
    REFUSED = "refused", "refused"  # the turn is over, or not theirs
    OTHER_ADDRESS = "other_address", "from another address"
    FORGED = "forged", "forged"
    REPEATED = "repeated", "delivered twice"
    TOO_MANY = "too_many", "too many for one turn"
    AUTOMATIC = "automatic", "written by a program"
    CAME_BACK = "came_back", "a mail that came back"
    UNKNOWN = "unknown", "no token in its address"
    NO_MAIL = "no_mail", "no mail at all"


ROWS = tuple(outcome for outcome in Outcome if outcome not in (
    Outcome.REPEATED, Outcome.TOO_MANY, Outcome.AUTOMATIC, Outcome.CAME_BACK, Outcome.UNKNOWN,
    Outcome.NO_MAIL,
))  # fmt: skip


class Reply(models.Model):
    """One mail that was read. What was written in it is kept only where it must be repeated."""

    wizard = models.ForeignKey(Wizard, models.CASCADE, related_name="replies")
    turn = models.ForeignKey(Turn, models.CASCADE, related_name="replies")
    digest = models.CharField(max_length=64)  # of the whole mail
    outcome = models.CharField(max_length=13, choices=[(each, each.label) for each in ROWS])
    is_from_other_address = models.BooleanField(default=False)
    # Orders that were asked back, and of what their wizard was warned: encrypted JSON.
    asked = models.TextField(blank=True, editable=False)
    received_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "replies"
        constraints = [
            models.UniqueConstraint("turn", "wizard", "digest", name="reply_once"),
            one_of("outcome", ROWS, name="reply_outcome"),
        ]

    def __str__(self) -> str:
        return f"reply {self.pk}"
