"""Model for accounts that are being closed."""

from django.db import models

from duels.models.accounts import User
from duels.models.wizards import Wizard


class AccountClosing(models.Model):
    """The closing of an account, stored until it is complete.

    Once the wizard has left all duels, the user is deleted. The wizard's name is then replaced in
    their duels, in order of the duels' ids.
    """

    user = models.OneToOneField(User, models.SET_NULL, null=True, related_name="closing")
    wizard = models.OneToOneField(Wizard, models.CASCADE, related_name="closing")
    begun_at = models.DateTimeField()
    renamed_up_to = models.BigIntegerField(default=0)  # last duel with the new name

    def __str__(self) -> str:
        return f"the closing of wizard {self.wizard_id}"
