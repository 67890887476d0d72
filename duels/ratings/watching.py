"""Running public duels for spectators, in the order that the reader chooses."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from duels.caching import poll_cache
from duels.models import OPEN_STAGES, Turn, Wizard
from duels.queries import listing
from duels.queries.lists import running_public_list
from duels.queries.rows import DuelRow
from duels.ratings.models import RunningRating


@dataclass(frozen=True)
class WatchedDuel:
    """A running duel, with the mean rating of its wizards at its start and its spectators."""

    row: DuelRow
    rating: int | None
    spectators: int


def watch_page(
    sort: str, wanted: listing.ListFilter, after: listing.FigurePlace | None, viewer: Wizard | None
) -> tuple[list[WatchedDuel], listing.FigurePlace | None]:
    """Return up to fifty running public duels that match the filter, starting after this place, and
    the place where the next page starts.

    Sorting by rating omits duels of unrated wizards. Sorting by spectators omits unwatched duels.
    """
    duels = running_public_list().matching(wanted).found.annotate(rating=F("running_rating__value"))
    if sort == "watched":
        spectators = poll_cache.watched_duels()
        found, following = _most_watched(duels.only("pk"), spectators, after)
    else:
        found, following = _watch_page_sorted_by(sort, duels.only("pk"), wanted, after)
        spectators = poll_cache.spectator_counts(each.pk for each in found)
    rows = listing.duel_rows({each.pk for each in found}, viewer)
    watched = [
        WatchedDuel(rows[each.pk], each.rating, spectators.get(each.pk, 0))
        for each in found
        if each.pk in rows
    ]
    return watched, following


def _watch_page_sorted_by(
    sort: str, duels: QuerySet[Any], wanted: listing.ListFilter, after: listing.FigurePlace | None
) -> tuple[list[Any], listing.FigurePlace | None]:
    """Return the rows of a page, and the place where the next page starts.

    The queries do not join all duels, because PostgreSQL would read them in the order of their ids.
    """
    if sort == "rating":
        rated = listing.DuelList(RunningRating.objects.annotate(rating=F("value"))).matching(wanted)
        return listing.page_by_figure(rated.found, "-value", after)
    if sort == "turn":
        turns = Turn.objects.filter(duel=OuterRef("pk"), stage__in=OPEN_STAGES).order_by()
        turn = Coalesce(Subquery(turns.values("number")[:1]), 0)
        return listing.page_by_figure(duels.annotate(turn=turn), "-turn", after)
    return listing.page_by_figure(duels, "-started_at", after)


def _most_watched(
    duels: QuerySet[Any], spectators: Mapping[int, int], after: listing.FigurePlace | None
) -> tuple[list[Any], listing.FigurePlace | None]:
    """Return a page of the most watched duels, and the place where the next page starts."""
    found = {duel.pk: duel for duel in duels.filter(pk__in=spectators)}
    places = sorted(((spectators[number], number) for number in found), reverse=True)
    if after is not None:
        places = [place for place in places if place < (after.figure, after.duel)]
    shown = places[: listing.PAGE_ROWS]
    following = listing.FigurePlace(*shown[-1]) if len(places) > listing.PAGE_ROWS else None
    return [found[number] for _, number in shown], following
