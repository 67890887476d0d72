"""Wizards' ratings under each ruleset, and the rating changes that rated duels cause.

`RatingChange` is the history. `WizardRating` is a copy of each wizard's latest rating, for the
ladders. A change also stores the results from which it was computed, so the whole history can be
recomputed.
"""

from datetime import datetime, timedelta
from typing import Final

from django.db import models
from django.db.models import F, Q

from duels.models import Duel, Wizard, one_of
from duels.models.constraints import partial_index
from duels.ratings.glicko import Rating, aged

# Columns of `RatingChange` that are computed from earlier changes and the results.
COMPUTED_COLUMNS: Final = (
    "value_before",
    "deviation_before",
    "volatility_before",
    "value",
    "deviation",
    "volatility",
    "expected",
    "actual",
    "weight",
)


class Result(models.TextChoices):
    WON = "won", "won"
    DREW = "drew", "drew"
    LOST = "lost", "lost"


class Way(models.TextChoices):
    """Ways to lose. Winners have the way in which their last opponent lost."""

    KILL = "kill", "by death"
    SURRENDER = "surrender", "by surrender"
    TIME = "time", "on time"
    REFEREE = "referee", "by a referee"
    DRAW = "draw", "by a draw"


class Ladder(models.Model):
    """A ruleset with ratings. Commands lock its row before they change any of these ratings."""

    ruleset = models.CharField(max_length=40, primary_key=True)

    def __str__(self) -> str:
        return f"ladder of {self.ruleset}"


class RatingChange(models.Model):
    """A wizard's result in a rated duel, and how it changed their rating under the ruleset."""

    duel = models.ForeignKey(Duel, models.CASCADE, related_name="rating_changes")
    wizard = models.ForeignKey(Wizard, models.PROTECT, related_name="rating_changes")
    ruleset = models.CharField(max_length=40)
    at = models.DateTimeField()  # when the duel ended
    place = models.PositiveSmallIntegerField()  # 1 for the winner; wizards who drew share a place
    result = models.CharField(max_length=4, choices=Result)
    way = models.CharField(max_length=9, choices=Way)
    turns = models.PositiveIntegerField()  # turns in which the wizard had to give orders
    missed_turns = models.PositiveIntegerField()  # turns with default orders
    opening = models.CharField(max_length=7, blank=True)  # first gestures, such as "WFP/DSF"
    spells = models.JSONField(default=dict, blank=True)  # the number of casts by spell

    # The deviation before the duel includes its growth since the previous duel.
    value_before = models.FloatField(default=0)
    deviation_before = models.FloatField(default=0)
    volatility_before = models.FloatField(default=0)
    value = models.FloatField(default=0)
    deviation = models.FloatField(default=0)
    volatility = models.FloatField(default=0)
    # Sums of the scores against all opponents, and the mean weight of these games.
    expected = models.FloatField(default=0)
    actual = models.FloatField(default=0)
    weight = models.FloatField(default=1)

    class Meta:
        constraints = [
            models.UniqueConstraint("duel", "wizard", name="rating_change_once"),
            one_of("result", Result, name="rating_change_result"),
            one_of("way", Way, name="rating_change_way"),
        ]
        indexes = [
            models.Index("wizard", "ruleset", "at", "duel", name="rating_change_of_wizard"),
            models.Index("ruleset", "at", "duel", name="rating_change_order"),
        ]

    def __str__(self) -> str:
        return f"rating change of {self.wizard_id} by duel {self.duel_id}"

    @property
    def before(self) -> Rating:
        return Rating(self.value_before, self.deviation_before, self.volatility_before)

    @property
    def after(self) -> Rating:
        return Rating(self.value, self.deviation, self.volatility)


class WizardRating(models.Model):
    """A wizard's rating under a ruleset after their last rated duel."""

    wizard = models.ForeignKey(Wizard, models.PROTECT, related_name="ratings")
    ruleset = models.CharField(max_length=40)
    value = models.FloatField()
    deviation = models.FloatField()
    volatility = models.FloatField()
    at = models.DateTimeField()  # when the last rated duel ended
    # When the deviation becomes too large for the ladder. None if it already is too large.
    ranked_until = models.DateTimeField(null=True, blank=True)
    month = models.DateField()  # first day of the month of the last rated duel (UTC)
    month_gain = models.FloatField()  # points won in that month
    reliability = models.FloatField()  # share of orders in time in the last 100 turns or more

    class Meta:
        constraints = [models.UniqueConstraint("wizard", "ruleset", name="rating_once")]
        indexes = [
            partial_index(
                "rating_ranked", "ruleset", "-value", "-wizard", rows=Q(ranked_until__isnull=False)
            ),
            models.Index(
                "ruleset",
                "month",
                F("month_gain").desc(),
                F("wizard").desc(),
                name="rating_movers",
            ),
            partial_index(
                "rating_reliable",
                "ruleset",
                "-reliability",
                "-wizard",
                rows=Q(ranked_until__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"rating of {self.wizard_id} under {self.ruleset}"

    @property
    def rating(self) -> Rating:
        return Rating(self.value, self.deviation, self.volatility)

    def rating_at(self, moment: datetime) -> Rating:
        """Return the rating at this moment, which has a larger deviation."""
        return aged(self.rating, (moment - self.at) / timedelta(days=1))

    def is_ranked_at(self, moment: datetime) -> bool:
        """Return whether the wizard is on the ladder at this moment."""
        return self.ranked_until is not None and self.ranked_until > moment

    @property
    def reliable_percent(self) -> int:
        return int(100 * self.reliability)


class RunningRating(models.Model):
    """The mean rating of the wizards in a running public duel at its start, for sorted lists.

    A duel has a row only if all its wizards had ratings.
    """

    duel = models.OneToOneField(
        Duel, models.CASCADE, primary_key=True, related_name="running_rating"
    )
    ruleset = models.CharField(max_length=40)
    value = models.PositiveIntegerField()

    class Meta:
        indexes = [
            models.Index(F("value").desc(), F("duel").desc(), name="running_rating_order"),
        ]

    def __str__(self) -> str:
        return f"rating of running duel {self.duel_id}"
