"""The secret addresses of wizards' calendars, and wizards' follows and private notes."""

from django.db import models
from django.db.models import F, Q

from duels.models import Duel, Wizard
from duels.models.constraints import check, exactly_one_of

MAX_NOTE_LENGTH = 1000
MAX_FOLLOWED = 200  # maximum number of wizards and duels that one wizard can follow


class CalendarKey(models.Model):
    """The secret part of the address of a wizard's calendar."""

    wizard = models.OneToOneField(Wizard, models.CASCADE, related_name="calendar_key")
    token = models.CharField(max_length=43, unique=True)
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"calendar key of {self.wizard_id}"


class Follow(models.Model):
    """A record that a wizard follows another wizard or a duel."""

    wizard = models.ForeignKey(Wizard, models.CASCADE, related_name="follows")
    followed = models.ForeignKey(Wizard, models.CASCADE, null=True, related_name="followed_by")
    duel = models.ForeignKey(Duel, models.CASCADE, null=True, related_name="followed_by")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint("wizard", "followed", name="follow_wizard_once"),
            models.UniqueConstraint("wizard", "duel", name="follow_duel_once"),
            check("follow_one", exactly_one_of(Q(followed__isnull=True), Q(duel__isnull=True))),
            check("follow_another", ~Q(wizard=F("followed"))),
        ]

    def __str__(self) -> str:
        return f"follow {self.pk} of {self.wizard_id}"


class PrivateNote(models.Model):
    """A wizard's note on another wizard, which only its author can read."""

    wizard = models.ForeignKey(Wizard, models.CASCADE, related_name="private_notes")
    about = models.ForeignKey(Wizard, models.CASCADE, related_name="private_notes_about")
    words = models.TextField(max_length=MAX_NOTE_LENGTH)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint("wizard", "about", name="private_note_once"),
            check("private_note_not_empty", ~Q(words="")),
        ]

    def __str__(self) -> str:
        return f"private note {self.pk} of {self.wizard_id}"
