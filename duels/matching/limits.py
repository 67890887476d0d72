"""Open challenges with limits on the rating and reliability of the wizards who accept them.

Ratings and reliability are public. A wizard without a rating counts as reliable, with the initial
rating.
"""

from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce, Floor, Round

import engine.play
from duels.commands import challenges
from duels.errors import Refused
from duels.matching.models import MAX_RATING, Availability, ChallengeLimits, RatedChoice
from duels.models import MIN_WIZARDS, Duel, Wizard
from duels.queries import lists
from duels.queries.listing import DuelList
from duels.ratings.public import Rating, WizardRating


@transaction.atomic
def create_challenge(
    *,
    least_rating: int | None,
    most_rating: int | None,
    least_reliability: int | None,
    open_to_guests: bool,
    **terms: Any,
) -> Duel:
    """Create a challenge on these terms. Open challenges may have limits, which exclude guests."""
    limits = ChallengeLimits(
        least_rating=least_rating or 0,
        most_rating=MAX_RATING if most_rating is None else most_rating,
        least_reliability=least_reliability or 0,
    )
    if limits.least_rating > limits.most_rating:
        text = "The lowest rating cannot be above the highest."
        raise Refused("wrong_rating_range", text, field="least_rating")
    has_limits = bool(limits.rating_words or limits.least_reliability)
    duel = challenges.create_challenge(open_to_guests=open_to_guests and not has_limits, **terms)
    if has_limits:
        if not duel.open:
            text = "Only an open challenge can have limits."
            raise Refused("limits_need_open_challenge", text, field="least_rating")
        limits.duel = duel
        limits.save(force_insert=True)
    return duel


def limits_of(duel: Duel) -> ChallengeLimits | None:
    """Return the limits of a challenge, or None. This runs a query unless they are loaded."""
    return getattr(duel, "limits", None) if duel.open else None


def check_limits(duel: Duel, wizard: Wizard) -> None:
    """Raise `Refused` if the limits of the challenge exclude the wizard."""
    limits = limits_of(duel)
    text = exclusion_words(limits, wizard) if limits else ""
    if text:
        raise Refused("outside_limits", text)


def exclusion_words(limits: ChallengeLimits, wizard: Wizard) -> str:
    """Return the reason why the limits exclude the wizard, or "" if they may accept."""
    ruleset = limits.duel.ruleset
    row = WizardRating.objects.filter(wizard=wizard, ruleset=ruleset).first()
    rating = round(row.value if row else Rating().value)
    if not limits.least_rating <= rating <= limits.most_rating:
        return (
            f"This challenge is for wizards rated {limits.rating_words} under "
            f"{engine.play.RULESETS[ruleset].name}; you are at {rating}."
        )
    reliability = row.reliable_percent if row else 100
    if reliability < limits.least_reliability:
        return (
            f"This challenge is for wizards who play at least {limits.least_reliability} % of "
            f"their turns in time; you have played {reliability} % in time."
        )
    return ""


def open_challenge_list(viewer: Wizard, now: datetime) -> DuelList:
    """Return open challenges that this wizard may accept, newest first."""
    rows = WizardRating.objects.filter(wizard=viewer, ruleset=OuterRef("duel__ruleset"))
    excluding = ChallengeLimits.objects.annotate(
        rating=Coalesce(Subquery(rows.values(rating=Round("value"))), Rating().value),
        reliability=Coalesce(Subquery(rows.values(percent=Floor(100 * F("reliability")))), 100.0),
    ).filter(
        Q(least_rating__gt=F("rating"))
        | Q(most_rating__lt=F("rating"))
        | Q(least_reliability__gt=F("reliability")),
        duel=OuterRef("pk"),
    )
    challenges = lists.open_challenge_list(viewer, now)
    return replace(challenges, found=challenges.found.exclude(Exists(excluding)))


def suitable_challenge(wizard: Wizard, wanted: Availability, now: datetime) -> Duel | None:
    """Return the oldest open challenge that the wizard may accept on these terms, or None."""
    found = open_challenge_list(wizard, now).found.filter(
        size=MIN_WIZARDS, options=[], ruleset__in=wanted.rulesets, pace__in=wanted.paces
    )
    if wanted.rated != RatedChoice.EITHER:
        found = found.filter(rated=wanted.rated == RatedChoice.RATED)
    suitable: Duel | None = found.select_related("challenger").order_by("created_at", "pk").first()
    return suitable
