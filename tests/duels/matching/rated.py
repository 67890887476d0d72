"""A helper that rates wizards who have not played any duels."""

from datetime import datetime

from duels.models import Wizard
from duels.ratings.public import WizardRating
from tests.cast import NOW


def rate(
    wizard: Wizard,
    value: float,
    *,
    deviation: float = 80,
    reliability: float = 1.0,
    ruleset: str = "bartle-1",
    at: datetime = NOW,
) -> None:
    """Give the wizard this rating under the ruleset."""
    WizardRating.objects.create(
        wizard=wizard,
        ruleset=ruleset,
        value=value,
        deviation=deviation,
        volatility=0.06,
        at=at,
        month=at.date().replace(day=1),
        month_gain=0,
        reliability=reliability,
    )
