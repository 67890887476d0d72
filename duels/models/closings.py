"""Accounts that are being closed."""

from django.db import models

from duels.models.accounts import User
from duels.models.wizards import Wizard


class AccountClosing(models.Model):
    """An account that its owner has closed, until the closing is finished.

    When the wizard has left all duels, the user is deleted. Then the wizard's name is replaced in
    duels, in order of id.
    """

    user = models.OneToOneField(User, models.SET_NULL, null=True, related_name="closing")
    wizard = models.OneToOneField(Wizard, models.CASCADE, related_name="closing")
    begun_at = models.DateTimeField()
    renamed_up_to = models.BigIntegerField(default=0)  # id of the last duel changed

    def __str__(self) -> str:
        return f"the closing of wizard {self.wizard_id}"
