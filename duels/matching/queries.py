"""Queries for wizards who are open to duels.

A wizard's page shows how many others are open to similar duels, but not their names.
"""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any, Final

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from duels.matching.models import Availability
from duels.matching.pairing import OpenWizard, Pair, PairingPool, rating_window_after
from duels.models import Block, Outcome, Seat, Wizard
from duels.ratings.public import Rating, WizardRating

REMATCH_INTERVAL: Final = timedelta(hours=24)  # period in which pairing prefers new opponents


def availability_of(wizard: Wizard) -> QuerySet[Availability]:
    """Return a query for the wizard's availability, which is at most one row."""
    return Availability.objects.filter(wizard=wizard)


def seats_in_running_duels(wizard: Any) -> QuerySet[Seat]:
    """Return the wizard's seats in unfinished duels, except practice duels."""
    return Seat.objects.filter(
        wizard=wizard,
        place__isnull=False,
        duel_ended_at=None,
        outcome=Outcome.NONE,
        duel__lesson="",
    )


def newest_found_opponent(wizard: Wizard) -> Seat | None:
    """Return the opponent's seat in the wizard's newest unfinished paired duel, or None."""
    own = seats_in_running_duels(wizard).filter(duel__paired=True)
    opponents = Seat.objects.filter(duel__in=own.values("duel")).exclude(wizard=wizard)
    return opponents.select_related("wizard", "duel").order_by("-duel").first()


def pairing_pool(
    now: datetime, *, among: Collection[int] | None = None, for_wizard: Wizard | None = None
) -> PairingPool:
    """Return the wizards who can be paired now, or only those with the ids `among`.

    If `for_wizard` is given, leave out all wizards on either side of a block with them, so that the
    numbers on their page do not depend on blocks.
    """
    available = _available_wizards(now)
    rows = list(available if among is None else available.filter(wizard__in=among))
    ids = [row.wizard_id for row in rows]
    blocks = {
        frozenset(pair)
        for pair in Block.objects.filter(wizard__in=ids, blocked__in=ids).values_list(
            "wizard_id", "blocked_id"
        )
    }
    if for_wizard is not None:
        rows = [row for row in rows if frozenset((row.wizard_id, for_wizard.pk)) not in blocks]
    ratings: dict[int, dict[str, Rating]] = defaultdict(dict)
    for stored in WizardRating.objects.filter(wizard__in=ids):
        ratings[stored.wizard_id][stored.ruleset] = stored.rating_at(now)
    wizards = [
        OpenWizard(
            row.wizard_id,
            row.rulesets,
            row.paces,
            row.rated,
            rating_window_after(max(now - row.since, timedelta(0))),
            ratings[row.wizard_id],
        )
        for row in rows
    ]
    return PairingPool(
        wizards,
        apart=blocks | _pairs_in_duels(ids, Q(duel_ended_at=None)),
        recent=_pairs_in_duels(ids, Q(duel__started_at__gt=now - REMATCH_INTERVAL)),
    )


def _available_wizards(now: datetime) -> QuerySet[Availability]:
    """Return the availability of wizards who may begin another duel, longest wait first."""
    counted = (
        seats_in_running_duels(OuterRef("wizard"))
        .order_by()
        .values("wizard")
        .annotate(n=Count("pk"))
    )
    return (
        Availability.objects.annotate(running=Coalesce(Subquery(counted.values("n")), 0))
        .filter(
            Q(wizard__suspended_at=None) | Q(wizard__suspended_until__lte=now),
            wizard__closed_at=None,
            wizard__vacation_ends_at=None,
            running__lt=F("most_duels"),
        )
        .order_by("since", "wizard")
    )


def _pairs_in_duels(ids: Collection[int], condition: Q) -> set[Pair]:
    """Return the pairs of these wizards that share a duel that meets the condition."""
    players: dict[int, set[int]] = defaultdict(set)
    seats = Seat.objects.filter(condition, wizard__in=ids, place__isnull=False)
    for duel, wizard in seats.values_list("duel_id", "wizard_id"):
        players[duel].add(wizard)
    return {frozenset(pair) for each in players.values() for pair in combinations(each, 2)}


def exported_availability(wizard: Wizard) -> dict[str, Any] | None:
    """Return the wizard's availability for the export of their data."""
    columns = ("rulesets", "paces", "rated", "most_duels", "since")
    rows: QuerySet[Any, Any] = availability_of(wizard).values(*columns)
    return rows.first()
