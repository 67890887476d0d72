"""Queries for ratings, for pages and for the export of an account's data.

All results are public, because only finished public duels are rated.
"""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Count, F, FilteredRelation, OuterRef, Q, QuerySet, Subquery

from duels.models import Duel, Wizard
from duels.ratings.models import COMPUTED_COLUMNS, RatingChange, WizardRating

PAGE_ROWS: Final = 50
MAX_CHANGES: Final = 100  # maximum number in a chart and its table
MAX_OPPONENTS: Final = 10
MAX_DUELS_BETWEEN: Final = 20  # maximum number of listed duels between two wizards
ORDER_OF_LADDER: Final = {"rating": "value", "month": "month_gain", "reliability": "reliability"}


# Counts of a wizard's wins, draws and losses against an opponent, from their places in each duel.
RESULT_COUNTS: Final = {
    "won": Count("pk", filter=Q(place__gt=F("own__place"))),
    "drawn": Count("pk", filter=Q(place=F("own__place"))),
    "lost": Count("pk", filter=Q(place__lt=F("own__place"))),
}


@dataclass(frozen=True)
class LadderPlace:
    """A place in a ladder, just after this wizard's row, which has the position `position`."""

    figure: float
    wizard: int
    position: int

    def __str__(self) -> str:
        return f"{self.figure!r}~{self.wizard}~{self.position}"

    @classmethod
    def parse(cls, text: str) -> "LadderPlace | None":
        """Parse a place from text. Return None if it is not valid."""
        figure, *rest = text.split("~")
        if len(rest) != 2 or not all(
            each.isascii() and each.isdecimal() and len(each) < 10 for each in rest
        ):
            return None
        try:
            return cls(float(figure), int(rest[0]), int(rest[1]))
        except ValueError:
            return None


@dataclass(frozen=True)
class LadderPage:
    """A page with up to fifty rows of a ladder.

    If the first page of ratings has room left, it also has wizards who are not ranked yet.
    """

    rows: tuple[WizardRating, ...]
    first_position: int
    next: LadderPlace | None = None  # None on the last page
    unranked: tuple[WizardRating, ...] = ()


@dataclass(frozen=True)
class HeadToHeadRecord:
    """The number of duels that a wizard won, drew and lost against an opponent."""

    opponent: Wizard
    won: int
    drawn: int
    lost: int


def ladder_page(ruleset: str, by: str, place: LadderPlace | None, now: datetime) -> LadderPage:
    """Return a page of wizards who are ranked now or, for `month`, gained points this month."""
    column = ORDER_OF_LADDER[by]
    rated = WizardRating.objects.filter(ruleset=ruleset, wizard__closed_at__isnull=True)
    rated = rated.order_by(f"-{column}", "-wizard_id").select_related("wizard")
    if by == "month":
        listed = rated.filter(month=now.date().replace(day=1), month_gain__gt=0)
    else:
        listed = rated.filter(ranked_until__gt=now)
    if place is not None:
        is_later = Q(**{f"{column}__lt": place.figure}) | Q(wizard__lt=place.wizard)
        listed = listed.filter(is_later, **{f"{column}__lte": place.figure})
    found = tuple(listed[: PAGE_ROWS + 1])
    rows, first = found[:PAGE_ROWS], place.position + 1 if place else 1
    if len(found) <= PAGE_ROWS:
        has_room = by == "rating" and place is None
        others = rated.exclude(ranked_until__gt=now)[: PAGE_ROWS - len(rows)] if has_room else ()
        return LadderPage(rows, first, unranked=tuple(others))
    last = rows[-1]
    after = LadderPlace(getattr(last, column), last.wizard_id, first + PAGE_ROWS - 1)
    return LadderPage(rows, first, after)


def ratings_of(wizard: Wizard) -> list[WizardRating]:
    """Return the wizard's ratings under all rulesets, the latest first."""
    return list(WizardRating.objects.filter(wizard=wizard).order_by("-at"))


def newest_changes(wizard: Wizard, ruleset: str) -> list[RatingChange]:
    """Return the wizard's newest rating changes under a ruleset, oldest first.

    Each has the attributes `opponent`, the name of the opponent with the best place, and `size`,
    the number of wizards in the duel.
    """
    others = RatingChange.objects.filter(duel=OuterRef("duel")).exclude(wizard=OuterRef("wizard"))
    changes = RatingChange.objects.filter(wizard=wizard, ruleset=ruleset).annotate(
        opponent=Subquery(others.order_by("place", "pk").values("wizard__name")[:1]),
        size=F("duel__size"),
    )
    newest: list[RatingChange] = list(changes.order_by("-at", "-duel")[:MAX_CHANGES])
    return newest[::-1]


def newest_changes_of_ruleset(ruleset: str, duels: int) -> list[RatingChange]:
    """Return the rating changes of the newest duels under a ruleset, each duel's winner first."""
    changes = RatingChange.objects.filter(ruleset=ruleset)
    ends = changes.order_by("-at", "-duel").values_list("at", "duel").distinct()[:duels]
    newest = changes.filter(duel__in=[duel for _, duel in ends])
    return list(newest.select_related("wizard").order_by("-at", "-duel", "place", "wizard"))


def result_counts(wizard: Wizard) -> Counter[tuple[str, str, str]]:
    """Count the wizard's rated duels by ruleset, result and kind of ending."""
    changes = RatingChange.objects.filter(wizard=wizard).order_by()
    counted = changes.values_list("ruleset", "result", "way").annotate(Count("pk"))
    return Counter({(ruleset, result, way): count for ruleset, result, way, count in counted})


def most_frequent_opponents(wizard: Wizard) -> list[HeadToHeadRecord]:
    """Return the results against the wizard's most frequent opponents, the most frequent first."""
    counted = (
        _opponents_rating_changes(wizard)
        .values_list("wizard")
        .annotate(met=Count("pk"), **RESULT_COUNTS)
    )
    found = list(counted.order_by("-met", "wizard")[:MAX_OPPONENTS])
    wizards = Wizard.objects.in_bulk([pk for pk, *_ in found])
    return [HeadToHeadRecord(wizards[pk], *counts) for pk, _, *counts in found]


def head_to_head_record(wizard: Wizard, opponent: Wizard) -> HeadToHeadRecord:
    """Return the results of one wizard against another."""
    theirs = RatingChange.objects.filter(wizard=opponent, duel=OuterRef("duel")).values("place")
    places = (
        _rating_changes_between(wizard, opponent)
        .annotate(theirs=Subquery(theirs))
        .values_list("place", "theirs")
    )
    found = list(places)
    return HeadToHeadRecord(
        opponent,
        won=sum(own < other for own, other in found),
        drawn=sum(own == other for own, other in found),
        lost=sum(own > other for own, other in found),
    )


def duels_between(wizard: Wizard, opponent: Wizard) -> list[RatingChange]:
    """Return the wizard's rating changes in duels with this opponent, newest first."""
    met = _rating_changes_between(wizard, opponent).select_related("wizard")
    return list(met.order_by("-at", "-duel")[:MAX_DUELS_BETWEEN])


def _rating_changes_between(wizard: Wizard, opponent: Wizard) -> QuerySet[RatingChange]:
    """Return the wizard's rating changes in duels with this opponent, without a join."""
    theirs = RatingChange.objects.filter(wizard=opponent).values("duel")
    return RatingChange.objects.filter(wizard=wizard, duel__in=theirs).order_by()


def _opponents_rating_changes(wizard: Wizard) -> QuerySet[RatingChange]:
    """Return the rating changes of the wizard's opponents, each with the wizard's own as `own`."""
    own = FilteredRelation("duel__rating_changes", condition=Q(duel__rating_changes__wizard=wizard))
    rows = RatingChange.objects.annotate(own=own).filter(own__wizard=wizard)
    return rows.exclude(wizard=wizard).order_by()


def changes_by_duel(duel: Duel) -> list[RatingChange]:
    """Return the rating changes that this duel caused, the winner's first."""
    if not (duel.rated and duel.is_over):
        return []
    changes = RatingChange.objects.filter(duel=duel).select_related("wizard")
    return list(changes.order_by("place", "wizard"))


def exported_ratings(wizard: Wizard) -> list[Any]:
    """Return the wizard's results and rating changes in all rated duels."""
    changes = RatingChange.objects.filter(wizard=wizard).order_by("at", "duel")
    return list(
        changes.values(
            "duel",
            "ruleset",
            "at",
            "place",
            "result",
            "way",
            "turns",
            "missed_turns",
            "opening",
            "spells",
            *COMPUTED_COLUMNS,
        )
    )
