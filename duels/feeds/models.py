"""The secret addresses of wizards' calendars."""

from django.db import models

from duels.models import Wizard


class CalendarKey(models.Model):
    """The secret part of the address of a wizard's calendar."""

    wizard = models.OneToOneField(Wizard, models.CASCADE, related_name="calendar_key")
    token = models.CharField(max_length=43, unique=True)
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"calendar key of {self.wizard_id}"
