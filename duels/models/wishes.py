"""Model for the wizards that users request when they sign up."""

from django.db import models

from duels.models.accounts import User
from duels.models.constraints import one_of
from duels.models.wizards import Pronouns


class WizardWish(models.Model):
    """The wizard to create once the user's address is verified. The name is not reserved."""

    user = models.OneToOneField(User, models.CASCADE, related_name="wizard_wish")
    name = models.CharField(max_length=24)
    pronouns = models.CharField(max_length=4, choices=Pronouns, default=Pronouns.THEY)

    class Meta:
        constraints = [one_of("pronouns", Pronouns, name="wizard_wish_pronouns")]

    def __str__(self) -> str:
        return f"the wish of user {self.user_id}"
