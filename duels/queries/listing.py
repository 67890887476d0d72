"""Pagination of lists of duels, and loading of several lists at once.

A page of a list starts after the last row of the previous page, and rows are not counted, so the
tenth page takes no longer than the first. All lists on a web page are loaded with three queries in
total.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    FilteredRelation,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    When,
)
from django.db.models.fields.tuple_lookups import Tuple, TupleGreaterThan, TupleLessThan
from django.db.models.functions import Coalesce

from duels.models import (
    OPEN_STAGES,
    Block,
    Duel,
    Mute,
    Orders,
    Outcome,
    Seat,
    Speech,
    Stage,
    Turn,
    Wizard,
)
from duels.queries.rows import DuelRow, TurnRow

PAGE_ROWS = 50  # maximum number of rows on a page
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)

# The columns of duels and seats that lists show. Events and dice are not loaded.
DUEL_COLUMNS: Final = (
    "ruleset options size pace rated visibility words name challenger open lesson status "
    "created_at expires_at started_at ended_at ended result final_position"
).split()
SEAT_COLUMNS: Final = (
    "duel wizard place accepted_at outcome awaited awaited_since due_at clock_left read_turn "
    "wizard__name wizard__slug wizard__kind wizard__vacation_ends_at"
).split()
TURN_COLUMNS: Final = ("ordinal", "number", "kind", "stage", "opened_at", "position")


@dataclass(frozen=True)
class FigurePlace:
    """A place in a list that is sorted by a time or a number, right after this duel."""

    figure: int  # a time in microseconds, a number such as a rating, or 0 if sorted by id
    duel: int

    def __str__(self) -> str:
        return f"{self.figure}-{self.duel}"

    @classmethod
    def parse(cls, text: str) -> "FigurePlace | None":
        """Return the place that this text encodes, or None if it is not valid."""
        found = re.fullmatch(r"([0-9]{1,17})-([0-9]{1,18})", text)
        return cls(int(found[1]), int(found[2])) if found else None


@dataclass(frozen=True)
class ListFilter:
    """A filter for lists of duels. An empty field matches all duels."""

    opponent: str = ""  # part of a name; in a wizard's own list, the other's
    ruleset: str = ""
    result: str = ""  # a key of `OUTCOMES_BY_RESULT`; in a wizard's list, their result


ALL_DUELS: Final = ListFilter()

# The outcomes of seats by result.
OUTCOMES_BY_RESULT: Final = {
    Outcome.WON: (Outcome.WON,),
    Outcome.LOST: (Outcome.LOST, Outcome.RESIGNED, Outcome.FORFEITED, Outcome.REMOVED),
    Outcome.DREW: (Outcome.DREW,),
}


@dataclass(frozen=True)
class DuelList:
    """A list of duels, sorted by id or by a time, such as the end of each duel."""

    found: QuerySet[Any]  # rows of seats or duels
    moment: str = ""  # name of the column to sort by
    oldest_first: bool = False
    limit: int = PAGE_ROWS
    # The list starts after this place, or at its beginning if None.
    after: FigurePlace | None = None

    def limited_to(self, limit: int) -> "DuelList":
        """Return the list with at most this many rows."""
        return replace(self, limit=limit)

    def starting_after(self, place: FigurePlace | None) -> "DuelList":
        """Return the list, starting right after this place."""
        return replace(self, after=place)

    def filtered(self, **conditions: Any) -> "DuelList":
        """Return the list with only the rows that meet these conditions."""
        return replace(self, found=self.found.filter(**conditions))

    def matching(self, wanted: ListFilter) -> "DuelList":
        """Return the list with only the duels that match this filter."""
        found, is_of_seats = self.found, self.found.model is Seat
        seats = Seat.objects.filter(duel=OuterRef(self._duel_field))
        if wanted.ruleset:
            duel = "duel__" if is_of_seats else ""
            found = found.filter(**{f"{duel}ruleset": wanted.ruleset})
        if wanted.opponent:
            others = seats.exclude(wizard=OuterRef("wizard")) if is_of_seats else seats
            found = found.filter(Exists(others.filter(wizard__name__icontains=wanted.opponent)))
        if wanted.result:
            outcomes = Q(outcome__in=OUTCOMES_BY_RESULT[Outcome(wanted.result)])
            found = found.filter(outcomes if is_of_seats else Exists(seats.filter(outcomes)))
        return replace(self, found=found)

    @property
    def duels(self) -> QuerySet[Any]:
        """A query for the ids of the duels on this page, and one more id if the list continues."""
        sign = "" if self.oldest_first else "-"
        columns = [self.moment, self._duel_field] if self.moment else [self._duel_field]
        found = self._rows_after(self.after) if self.after else self.found
        ordered = found.order_by(*(sign + column for column in columns))
        return ordered.values(self._duel_field)[: self.limit + 1]

    def with_rows(self, rows: list[DuelRow]) -> "ListedDuels":
        """Return these rows in the list's order, and the place where the next page starts."""
        ordered = sorted(
            rows,
            key=lambda row: (self._moment_of(row) or EPOCH, row.duel.pk),
            reverse=not self.oldest_first,
        )
        shown, following = tuple(ordered[: self.limit]), None
        if len(ordered) > self.limit:
            figure = _figure_as_number(self._moment_of(shown[-1]) or EPOCH)
            following = FigurePlace(figure, shown[-1].duel.pk)
        return ListedDuels(shown, following)

    @property
    def _duel_field(self) -> str:
        return "duel_id" if self.found.model is Seat else "pk"

    def _rows_after(self, place: FigurePlace) -> QuerySet[Any]:
        way = "gt" if self.oldest_first else "lt"
        if not self.moment:
            return self.found.filter(**{f"{self._duel_field}__{way}": place.duel})
        moment = EPOCH + place.figure * MICROSECOND
        return self.found.filter(_is_after(self.moment, moment, self._duel_field, place.duel, way))

    def _moment_of(self, row: DuelRow) -> datetime | None:
        if not self.moment:
            return None
        if self.moment == "awaited_since":
            return row.mine.awaited_since if row.mine else None
        moment: datetime | None = getattr(row.duel, self.moment.removeprefix("duel_"))
        return moment


@dataclass(frozen=True)
class ListedDuels:
    """The rows of one page of a list."""

    rows: tuple[DuelRow, ...] = ()
    next: FigurePlace | None = None  # where the next page starts, or None at the end


def load_duel_lists(lists: Mapping[str, DuelList], viewer: Wizard | None) -> dict[str, ListedDuels]:
    """Load the rows of these lists, as this viewer may see them."""
    ids = _ids_of(lists)
    rows = duel_rows({duel for found in ids.values() for duel in found}, viewer)
    return {
        name: each.with_rows([rows[duel] for duel in ids[name] if duel in rows])
        for name, each in lists.items()
    }


def page_by_figure(
    found: QuerySet[Any], column: str, after: FigurePlace | None
) -> tuple[list[Any], FigurePlace | None]:
    """Return the rows of one page and the place where the next page starts, or None at the end.
    Sort by this column (such as "-turns"), then by id."""
    rows = list(_ordered(found, column, after)[: PAGE_ROWS + 1])
    last = rows[PAGE_ROWS - 1] if len(rows) > PAGE_ROWS else None
    return rows[:PAGE_ROWS], FigurePlace(_figure_as_number(last.figure), last.pk) if last else None


def place_of_row(
    queryset: QuerySet[Any], column: str, after: FigurePlace | None, number: int
) -> FigurePlace | None:
    """Return the place of the row after the first `number` rows, or None if there is none."""
    rows = _ordered(queryset, column, after).values_list("figure", "pk")[number : number + 1]
    return next((FigurePlace(_figure_as_number(figure), pk) for figure, pk in rows), None)


def rows_before(queryset: QuerySet[Any], column: str, place: FigurePlace) -> QuerySet[Any]:
    """Return the rows that come before this place, if they are sorted by this column."""
    return _rows_on_one_side(queryset, column, place, "gt" if column.startswith("-") else "lt")


def _ordered(queryset: QuerySet[Any], column: str, after: FigurePlace | None) -> QuerySet[Any]:
    name, sign = column.removeprefix("-"), "-" if column.startswith("-") else ""
    if after is not None:
        queryset = _rows_on_one_side(queryset, column, after, "lt" if sign else "gt")
    rows: QuerySet[Any] = queryset.annotate(figure=F(name))
    return rows.order_by(column, f"{sign}pk")


def _rows_on_one_side(
    queryset: QuerySet[Any], column: str, place: FigurePlace, way: str
) -> QuerySet[Any]:
    name = column.removeprefix("-")
    value = EPOCH + place.figure * MICROSECOND if name.endswith("_at") else place.figure
    return queryset.filter(_is_after(name, value, "pk", place.duel, way))


def _is_after(column: str, value: object, key: str, duel: int, way: str) -> Q:
    """Return a condition for rows after this place. An index of both columns finds the first row,
    even if many rows have the same value."""
    lookup = TupleGreaterThan if way == "gt" else TupleLessThan
    return Q(lookup(Tuple(F(column), F(key)), (value, duel)))


def _figure_as_number(value: datetime | int) -> int:
    return (value - EPOCH) // MICROSECOND if isinstance(value, datetime) else value


def _row_of(duel: Any, seats: tuple[Any, ...], viewer: Wizard | None) -> DuelRow:
    """Return the row of this duel, as the viewer may see it.

    The duel must be annotated with its open turn, and its seats must be annotated as in
    `_seats_of`.
    """
    mine = next((seat for seat in seats if viewer and seat.wizard_id == viewer.pk), None)
    turn = None
    if duel.turn_ordinal is not None:
        turn = TurnRow(*(getattr(duel, f"turn_{column}") for column in TURN_COLUMNS))
        if not (mine and mine.awaited):
            # Only a wizard with a question to answer may know that there are questions.
            # rules: R121, R162
            turn = replace(turn, stage=Stage.ORDERS)
    for seat in seats:
        seat.duel = duel
        if seat.wizard_id == duel.challenger_id:
            duel.challenger = seat.wizard
    return DuelRow(
        duel=duel,
        seats=seats,
        mine=mine,
        turn=turn,
        # Others must not notice questions in an extra turn, so hide a seal until all are answered.
        sealed=frozenset(seat.pk for seat in seats if seat.has_sealed and not seat.awaited),
        has_new_turn=mine is not None and mine.last_played > mine.read_turn,
        unread=mine.unread if mine is not None else 0,
    )


def _ids_of(lists: Mapping[str, DuelList]) -> dict[str, list[int]]:
    """Return the ids of the duels in each list, with one query that uses an index for each list."""
    parts, values = [], []
    for name, each in lists.items():
        try:
            statement, its_values = each.duels.query.sql_with_params()
        except EmptyResultSet:  # a list that is always empty
            continue
        parts.append(f"SELECT %s, found.* FROM ({statement}) AS found")
        values += [name, *its_values]
    ids: dict[str, list[int]] = {name: [] for name in lists}
    if parts:
        with connection.cursor() as cursor:
            cursor.execute(" UNION ALL ".join(parts), values)
            for name, duel in cursor.fetchall():
                ids[name].append(duel)
    return ids


def duel_rows(duels: set[int], viewer: Wizard | None) -> dict[int, DuelRow]:
    """Return the rows of these duels by id."""
    if not duels:
        return {}
    seats = _seats_of(duels, viewer)
    found = (
        Duel.objects.filter(pk__in=duels)
        .annotate(open_turn=FilteredRelation("turns", condition=Q(turns__stage__in=OPEN_STAGES)))
        .annotate(**{f"turn_{column}": F(f"open_turn__{column}") for column in TURN_COLUMNS})
        .only(*DUEL_COLUMNS)
    )
    return {duel.pk: _row_of(duel, seats[duel.pk], viewer) for duel in found}


def _seats_of(duels: set[int], viewer: Wizard | None) -> dict[int, tuple[Any, ...]]:
    """Return the seats of each duel, in order of place or, before the start, of joining.

    Seats are annotated with whether the wizard has sealed. The viewer's own seats are also
    annotated with the last turn played and the number of unread messages.
    """
    open_turn = Q(duel__turns__stage__in=OPEN_STAGES)
    played = Turn.objects.filter(duel=OuterRef("duel"), stage=Stage.RESOLVED).order_by("-ordinal")
    seats = (
        Seat.objects.filter(duel__in=duels)
        .select_related("wizard")
        .annotate(open_turn=FilteredRelation("duel__turns", condition=open_turn))
        .annotate(
            has_sealed=Exists(VALID_SEALS),
            last_played=_for_own_seats(viewer, played.values("ordinal")[:1]),
            unread=_for_own_seats(viewer, _unread_message_count(viewer)),
        )
        .only(*SEAT_COLUMNS)
    )
    found: dict[int, list[Any]] = {duel: [] for duel in duels}
    for seat in seats.order_by("place", "pk"):
        found[seat.duel_id].append(seat)
    return {duel: tuple(each) for duel, each in found.items()}


VALID_SEALS: Final = Orders.objects.filter(
    turn=OuterRef("open_turn"), seat=OuterRef("pk"), superseded=False, taken_back_at=None
)


def _for_own_seats(viewer: Wizard | None, number: QuerySet[Any, Any]) -> Case:
    """Return an expression with this number for the viewer's own seats, and 0 for others."""
    own = When(wizard=viewer, then=Coalesce(Subquery(number), 0))
    return Case(own, default=0, output_field=IntegerField())


def _unread_message_count(viewer: Wizard | None) -> QuerySet[Any, Any]:
    """Return a query for the number of unread messages by wizards the viewer hears."""
    silenced = [
        Exists(Mute.objects.filter(wizard=viewer, muted=OuterRef("wizard"))),
        Exists(Block.objects.filter(wizard=viewer, blocked=OuterRef("wizard"))),
    ]
    said = Speech.objects.filter(
        *(~each for each in silenced),
        duel=OuterRef("duel"),
        pk__gt=OuterRef("read_speech"),
        removed_at=None,
    )
    others = said.exclude(wizard=viewer).order_by()
    return others.values("duel").annotate(number=Count("pk")).values("number")
