"""Searches of the archive, page by page.

A page starts after the last row of the previous page, and rows are not counted. On PostgreSQL, a
search reads the next rows in the order of the page. If they do not fill it, the search looks up
codes and words in their indexes. A search by ruleset, size and way needs only one query.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any, Final, TypeAlias

from django.db import connection, transaction
from django.db.models import F, QuerySet

from duels.archive.lookups import (
    FACETS,
    HasCodes,
    HasIndexedCodes,
    HasIndexedFacets,
    HasWords,
    kind_of_code,
)
from duels.archive.models import ArchivedDuel, DailyDuel
from duels.caching.volatile import cached_value
from duels.models import Duel, Wizard
from duels.queries.listing import (
    DuelList,
    FigurePlace,
    duel_rows,
    page_by_figure,
    place_of_row,
    rows_before,
)
from duels.queries.rows import DuelRow

MAX_ROWS_READ_IN_ORDER: Final = 4_000  # number of rows that a search reads before it uses an index
FoundPage: TypeAlias = tuple[list[Any], FigurePlace | None]
SET_SCANS_SQL: Final = (
    "SELECT set_config('enable_indexscan', %s, true), set_config('enable_seqscan', %s, true)"
)
SORT_COLUMNS: Final = {
    "newest": "-ended_at",
    "oldest": "ended_at",
    "longest": "-turns",
    "shortest": "turns",
    "rating": "-rating",
    "watched": "-watched",
}


@dataclass(frozen=True)
class ArchiveSearch:
    """The conditions and the order of a search. Empty fields match all duels."""

    codes: Sequence[str] = ()
    words: str = ""
    limits: Mapping[str, Any] = field(default_factory=dict[str, Any])  # conditions by lookup
    sort: str = "newest"
    after: FigurePlace | None = None


@dataclass(frozen=True)
class FoundDuel:
    """A duel that a search of the archive found."""

    row: DuelRow
    turns: int
    rating: int | None
    watched: int


def archive_page(
    search: ArchiveSearch, viewer: Wizard | None
) -> tuple[list[FoundDuel], FigurePlace | None]:
    """Return up to fifty duels that match this search, starting after `search.after`, and the place
    where the next page starts."""
    column, after = SORT_COLUMNS[search.sort], search.after
    if all(kind_of_code(code) in FACETS for code in search.codes) and not search.words:
        rows, following = page_by_figure(_matching_duels(search, HasIndexedFacets), column, after)
    elif connection.vendor == "postgresql":
        rows, following = _page_of_next_rows(search) or _page_by_index(search)
    else:
        rows, following = page_by_figure(_matching_duels(search, HasCodes), column, after)
    duels = duel_rows({row.pk for row in rows}, viewer)
    found = [FoundDuel(duels[row.pk], row.turns, row.rating, row.watched) for row in rows]
    return found, following


def _page_of_next_rows(search: ArchiveSearch) -> FoundPage | None:
    """Return the page if the next rows of the archive fill it, or if no other rows follow.

    PostgreSQL cannot estimate how many duels have several codes, so it may read all rows to find
    very few of them. If the codes are common, reading the next rows is faster than using an index.
    """
    column, after = SORT_COLUMNS[search.sort], search.after
    name = column.removeprefix("-")
    limits = {lookup: value for lookup, value in search.limits.items() if lookup.startswith(name)}
    rows = _matching_duels(ArchiveSearch(limits=limits, sort=search.sort), HasCodes)
    end = place_of_row(rows, column, after, MAX_ROWS_READ_IN_ORDER)
    found = _matching_duels(search, HasCodes)
    page = page_by_figure(rows_before(found, column, end) if end else found, column, after)
    return page if page[1] or not end else None


def _page_by_index(search: ArchiveSearch) -> FoundPage:
    with _only_gin_indexes():
        return page_by_figure(
            _matching_duels(search, HasIndexedCodes), SORT_COLUMNS[search.sort], search.after
        )


def _matching_duels(search: ArchiveSearch, lookup: type[HasCodes]) -> QuerySet[Any]:
    """Return the duels that match this search, with codes compared by this lookup."""
    found = ArchivedDuel.objects.filter(**search.limits).defer("codes", "words")
    if search.sort == "rating":
        found = found.filter(rating__isnull=False)
    if search.sort == "watched":
        found = found.filter(watched__gt=0)
    if search.codes:
        found = found.filter(lookup(F("codes"), search.codes))
    if search.words:
        found = found.filter(HasWords(F("words"), search.words))
    return found


@contextmanager
def _only_gin_indexes() -> Iterator[None]:
    """Keep PostgreSQL from using other indexes, which it might read from end to end."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(SET_SCANS_SQL, ["off", "off"])
        yield
        cursor.execute(SET_SCANS_SQL, ["on", "on"])  # this may be part of a longer transaction


@dataclass(frozen=True)
class DuelOfTheDay:
    """The duel of the day, as a list of one duel, and the reason for its choice."""

    found: DuelList
    reason: str


def duel_of_the_day(now: datetime) -> DuelOfTheDay | None:
    """Return the duel of the day, or None if there is none.

    The choice is cached, because the front page shows it. The list is empty if the duel is no
    longer in the archive.
    """
    day = now.astimezone(UTC).date()
    duel, reason = cached_value(f"daily-duel:{day}", lambda: _daily_duel(day), seconds=600)
    return DuelOfTheDay(DuelList(Duel.objects.filter(archived=duel)), reason) if duel else None


def _daily_duel(day: date) -> tuple[int, str]:
    chosen = DailyDuel.objects.filter(day=day).first()
    return (chosen.archived_id, chosen.reason) if chosen else (0, "")
