"""Searches of the archive, page by page.

A page starts after the last row of the previous page, and rows are not counted. On PostgreSQL, a
search looks up codes and words in their indexes, or reads the rows in the order of the page.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from django.db import OperationalError, connection, transaction
from django.db.models import BooleanField, F, Lookup

from duels.archive.models import ArchivedDuel, DailyDuel
from duels.caching.volatile import cached_value
from duels.models import Duel, Wizard
from duels.queries.listing import DuelList, FigurePlace, duel_rows, page_by_figure
from duels.queries.rows import DuelRow
from spellcaster.outages import is_outage

if TYPE_CHECKING:  # generic for the type checker only
    AnyLookup = Lookup[Any]
else:
    AnyLookup = Lookup

# How to search, as settings of PostgreSQL, and for how many milliseconds. The last attempt, by
# codes and words, takes as long as necessary.
CODES_INDEX_ONLY: Final = {"enable_indexscan": "off", "enable_seqscan": "off"}
DEFAULT_PLAN: Final[dict[str, str]] = {}
ATTEMPTS: Final = ((CODES_INDEX_ONLY, 8), (DEFAULT_PLAN, 100))
Found = TypeVar("Found")
SORTS: Final = {
    "newest": "-ended_at",
    "oldest": "ended_at",
    "longest": "-turns",
    "shortest": "turns",
    "rating": "-rating",
    "watched": "-watched",
}


class HasCodes(AnyLookup):
    """A lookup that matches texts with all these codes."""

    lookup_name = "has_codes"
    prepare_rhs = False
    output_field = BooleanField()

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[str, ...]]:
        column, _ = self.process_lhs(compiler, connection)
        condition = f"instr(' ' || {column} || ' ', %s) > 0"
        return " AND ".join([condition] * len(self.rhs)), tuple(f" {code} " for code in self.rhs)

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        column, _ = self.process_lhs(compiler, connection)
        return f"string_to_array({column}, ' ') @> %s::text[]", [list(self.rhs)]


class HasWords(AnyLookup):
    """A lookup that matches texts with all these words, on PostgreSQL in any grammatical form."""

    lookup_name = "has_words"
    prepare_rhs = False
    output_field = BooleanField()

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[str, ...]]:
        column, _ = self.process_lhs(compiler, connection)
        words = re.findall(r"\w+", self.rhs.lower()) or [self.rhs]
        return " AND ".join([f"instr({column}, %s) > 0"] * len(words)), tuple(words)

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        column, _ = self.process_lhs(compiler, connection)
        lexemes = f"{column.rpartition('.')[0]}.lexemes"
        return f"{lexemes} @@ plainto_tsquery('english', %s)", [self.rhs]


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


@dataclass(frozen=True)
class ArchivePage:
    """A page of search results, with up to fifty duels."""

    duels: tuple[FoundDuel, ...]
    next: FigurePlace | None  # None on the last page


def archive_page(search: ArchiveSearch, viewer: Wizard | None) -> ArchivePage:
    """Return one page of the duels that match this search, starting after `search.after`."""
    found = ArchivedDuel.objects.filter(**search.limits).defer("codes", "words")
    if search.codes:
        found = found.filter(HasCodes(F("codes"), search.codes))
    if search.words:
        found = found.filter(HasWords(F("words"), search.words))
    if search.sort == "rating":
        found = found.filter(rating__isnull=False)
    if search.sort == "watched":
        found = found.filter(watched__gt=0)
    is_selective = bool(search.codes or search.words)
    find = partial(page_by_figure, found, SORTS[search.sort], search.after)
    rows, following = _found_in_time(find) if is_selective else find()
    duels = duel_rows({row.pk for row in rows}, viewer)
    return ArchivePage(
        tuple(FoundDuel(duels[row.pk], row.turns, row.rating, row.watched) for row in rows),
        following,
    )


def _found_in_time(search: Callable[[], Found]) -> Found:
    """Return the result of a search. On PostgreSQL, try two ways.

    PostgreSQL expects too many duels with words that no report has, or with codes that exclude each
    other, and then goes through all rows. The indexes of codes and words find at once that there
    are few or none, but for common ones they return many rows, which must all be sorted.
    """
    if connection.vendor != "postgresql":
        return search()
    for way, milliseconds in ATTEMPTS:
        try:
            with _database_settings(**way, statement_timeout=milliseconds):
                return search()
        except OperationalError as error:
            if is_outage(error):
                raise
    with _database_settings(**CODES_INDEX_ONLY):
        return search()


@contextmanager
def _database_settings(**values: object) -> Iterator[None]:
    """Run queries with these settings of PostgreSQL."""
    with transaction.atomic(), connection.cursor() as cursor:
        for name, value in values.items():
            cursor.execute(f"SET LOCAL {name} = {value}")
        yield
        for name in values:  # this may be part of a longer transaction
            cursor.execute(f"SET LOCAL {name} TO DEFAULT")


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
