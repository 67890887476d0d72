"""Limits of open challenges."""

from django.db import models
from django.db.models import F, Q

from duels.models import Duel

HIGHEST_RATING = 4000


class ChallengeLimits(models.Model):
    """The wizards who may take an open place of a challenge, by their ratings under its ruleset."""

    duel = models.OneToOneField(Duel, models.CASCADE, primary_key=True, related_name="limits")
    least_rating = models.PositiveSmallIntegerField(default=0)
    most_rating = models.PositiveSmallIntegerField(default=HIGHEST_RATING)
    least_reliability = models.PositiveSmallIntegerField(default=0)  # turns in time, in per cent

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(least_rating__lte=F("most_rating"), most_rating__lte=HIGHEST_RATING),
                name="challenge_limits_rating",
            ),
            models.CheckConstraint(
                condition=Q(least_reliability__lte=100), name="challenge_limits_reliability"
            ),
        ]

    def __str__(self) -> str:
        return f"limits of duel {self.duel_id}"

    @property
    def rating_words(self) -> str:
        """The range of ratings, such as "1400 to 1700", or "" if there is none."""
        if self.least_rating and self.most_rating < HIGHEST_RATING:
            return f"{self.least_rating} to {self.most_rating}"
        if self.least_rating:
            return f"{self.least_rating} or more"
        return f"{self.most_rating} or less" if self.most_rating < HIGHEST_RATING else ""
