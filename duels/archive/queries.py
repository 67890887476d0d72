"""Searches of the archive, page by page.

A page starts after the last row of the previous page, and rows are not counted. PostgreSQL decides
by its statistics whether to look up codes and words in their indexes, or to go through the rows in
the order of the page.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db.models import BooleanField, F, Lookup, Q

from duels.archive.models import ArchivedDuel
from duels.models import Wizard
from duels.queries.listing import PAGE_ROWS, duel_rows
from duels.queries.rows import DuelRow

if TYPE_CHECKING:  # generic for the type checker only
    AnyLookup = Lookup[Any]
else:
    AnyLookup = Lookup

SORTS: Final = {
    "newest": "-ended_at",
    "oldest": "ended_at",
    "longest": "-turns",
    "shortest": "turns",
    "rating": "-rating",
}
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND: Final = timedelta(microseconds=1)


class HasCodes(AnyLookup):
    """Whether a text with codes has all these codes."""

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
    """Whether a text has all these words, on PostgreSQL in any grammatical form."""

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
class ArchivePlace:
    """A place in the archive, right after this duel. `figure` is what the duels are sorted by."""

    figure: int
    duel: int

    def __str__(self) -> str:
        return f"{self.figure}-{self.duel}"

    @classmethod
    def parse(cls, text: str) -> "ArchivePlace | None":
        """Return the place that this text encodes, or None if it is not valid."""
        found = re.fullmatch(r"([0-9]{1,17})-([0-9]{1,18})", text)
        return cls(int(found[1]), int(found[2])) if found else None


@dataclass(frozen=True)
class ArchiveSearch:
    """The duels to find, and their order. Empty fields match all duels."""

    codes: Sequence[str] = ()
    words: str = ""
    limits: Mapping[str, Any] = field(default_factory=dict[str, Any])  # conditions by lookup
    sort: str = "newest"
    after: ArchivePlace | None = None


@dataclass(frozen=True)
class FoundDuel:
    """A duel in the archive."""

    row: DuelRow
    turns: int
    rating: int | None


@dataclass(frozen=True)
class ArchivePage:
    """Up to fifty duels of the archive."""

    duels: tuple[FoundDuel, ...]
    next: ArchivePlace | None  # None at the end


def archive_page(search: ArchiveSearch, viewer: Wizard | None) -> ArchivePage:
    """Return the duels that this search finds, in its order, starting after its place."""
    column = SORTS[search.sort]
    sign, name = ("-", column[1:]) if column.startswith("-") else ("", column)
    found = ArchivedDuel.objects.filter(**search.limits)
    if search.codes:
        found = found.filter(HasCodes(F("codes"), search.codes))
    if search.words:
        found = found.filter(HasWords(F("words"), search.words))
    if name == "rating":
        found = found.filter(rating__isnull=False)
    if search.after is not None:
        found = found.filter(_after(search.after, name, "lt" if sign else "gt"))
    rows = list(found.order_by(column, f"{sign}duel").defer("codes", "words")[: PAGE_ROWS + 1])
    shown = rows[:PAGE_ROWS]
    duels = duel_rows({row.duel_id for row in shown}, viewer)
    last = shown[-1] if len(rows) > PAGE_ROWS else None
    return ArchivePage(
        tuple(FoundDuel(duels[row.duel_id], row.turns, row.rating) for row in shown),
        ArchivePlace(_figure(getattr(last, name)), last.duel_id) if last else None,
    )


def _after(place: ArchivePlace, name: str, way: str) -> Q:
    """Return a condition for rows after this place. Its first part uses the index."""
    figure = EPOCH + place.figure * MICROSECOND if name == "ended_at" else place.figure
    at = Q(**{f"{name}__{way}e": figure})
    return at & (Q(**{f"duel__{way}": place.duel}) | ~Q(**{name: figure}))


def _figure(value: datetime | int) -> int:
    return (value - EPOCH) // MICROSECOND if isinstance(value, datetime) else value
