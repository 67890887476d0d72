"""Limits of open challenges, and the availability of wizards who are open to duels."""

from django.db import models
from django.db.models import F, Q

from duels.models import Duel, Wizard, one_of
from duels.models.constraints import check

MAX_RATING = 4000
MAX_DUELS = 10  # largest possible value of `Availability.most_duels`


class RatedChoice(models.TextChoices):
    EITHER = "either", "Rated or friendly"
    RATED = "rated", "Only rated"
    FRIENDLY = "friendly", "Only friendly"


class ChallengeLimits(models.Model):
    """The ratings under a challenge's ruleset that wizards need in order to accept it."""

    duel = models.OneToOneField(Duel, models.CASCADE, primary_key=True, related_name="limits")
    least_rating = models.PositiveSmallIntegerField(default=0)
    most_rating = models.PositiveSmallIntegerField(default=MAX_RATING)
    least_reliability = models.PositiveSmallIntegerField(default=0)  # turns in time, in per cent

    class Meta:
        constraints = [
            check(
                "challenge_limits_rating",
                Q(least_rating__lte=F("most_rating"), most_rating__lte=MAX_RATING),
            ),
            check("challenge_limits_reliability", Q(least_reliability__lte=100)),
        ]

    def __str__(self) -> str:
        return f"limits of duel {self.duel_id}"

    @property
    def rating_words(self) -> str:
        """The range of ratings as text, such as "1400 to 1700", or "" if there is no limit."""
        if self.least_rating and self.most_rating < MAX_RATING:
            return f"{self.least_rating} to {self.most_rating}"
        if self.least_rating:
            return f"{self.least_rating} or more"
        return f"{self.most_rating} or less" if self.most_rating < MAX_RATING else ""


class Availability(models.Model):
    """A wizard who wants to be paired with others, and the terms that they are open to."""

    wizard = models.OneToOneField(
        Wizard, models.CASCADE, primary_key=True, related_name="availability"
    )
    rulesets = models.JSONField()
    paces = models.JSONField()  # as text
    rated = models.CharField(max_length=8, choices=RatedChoice)
    most_duels = models.PositiveSmallIntegerField()  # no pairing at this many running duels
    since = models.DateTimeField()  # the start of the current wait

    class Meta:
        constraints = [
            one_of("rated", RatedChoice, name="availability_rated"),
            check("availability_most_duels", Q(most_duels__gte=1, most_duels__lte=MAX_DUELS)),
        ]

    def __str__(self) -> str:
        return f"availability of {self.wizard_id}"
