"""Queries that load rows of several models at once, in handwritten SQL.

For every call, Django would compile a join of six tables again, which takes longer than the query
itself. This module only converts columns to instances. The modules that use it contain the joins.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import BigIntegerField, Model
from django.utils import timezone

TIME_SQL = "SELECT clock_timestamp()"  # SQL for the time of PostgreSQL's clock

AnyModel = TypeVar("AnyModel", bound=Model)
Converter = Callable[[Any], Any]


class ModelColumns(Generic[AnyModel]):
    """All columns of a model in the rows of a statement.

    `alias` is the name of the model's table there, and `start` the index of the first column.
    """

    def __init__(self, model: type[AnyModel], alias: str, start: int = 0) -> None:
        fields = model._meta.concrete_fields
        self.model = model
        self.start = start
        self.end = start + len(fields)
        self.names = [field.attname for field in fields]
        self.sql = ", ".join(f'{alias}."{field.column}"' for field in fields)
        # The index of the primary key. It is None in rows of an outer join without an instance.
        self.key = start + self.names.index("id")

    def make_instance(self, row: Sequence[Any]) -> AnyModel:
        """Return the instance in this row."""
        kept = list(row[self.start : self.end])
        for at, convert in _converters(self.model, connection.vendor):
            kept[at] = convert(kept[at])
        return self.model.from_db(connection.alias, self.names, kept)


@lru_cache
def _converters(model: type[Model], vendor: str) -> tuple[tuple[int, Converter], ...]:
    """Return converters from database values to Python values, by the index of the column."""
    found = []
    for at, field in enumerate(model._meta.concrete_fields):
        column: Any = field.cached_col
        steps = (
            *connection.ops.get_db_converters(column),
            *column.get_db_converters(connection),
        )
        if steps:
            found.append((at, _converter(column, steps)))
    return tuple(found)


def _converter(column: Any, steps: Sequence[Callable[[Any, Any, Any], Any]]) -> Converter:
    def convert(value: Any) -> Any:
        for step in steps:
            value = step(value, column, connection)
        return value

    return convert


def fetch_rows(sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return all rows of this statement, or [] if a parameter is too large for any column."""
    if not _fit_into_columns(parameters):
        return []
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def fetch_locked_rows(
    lock: str, sql: str, parameters: Sequence[Any]
) -> tuple[datetime, list[tuple[Any, ...]]]:
    """Run a statement that locks a row, then a second one. Return the time and its rows.

    `parameters` contains the parameters of both statements. PostgreSQL receives them together, but
    runs the second one only after it has the lock, with a new snapshot that includes all changes
    committed during the wait. SQLite locks the whole database at BEGIN, so it runs only the second
    statement. The time comes from the database's clock, after the row is locked.
    """
    assert connection.in_atomic_block, "a lock lasts until the end of its transaction"
    if not _fit_into_columns(parameters):
        return timezone.now(), []
    if not connection.features.has_select_for_update:
        return timezone.now(), fetch_rows(sql, parameters[lock.count("%s") :])
    with connection.cursor() as cursor:
        cursor.execute(f"{lock};{TIME_SQL};{sql}", parameters)
        cursor.nextset()
        (now,) = cursor.fetchone()
        cursor.nextset()
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return now, rows


def _fit_into_columns(parameters: Sequence[Any]) -> bool:
    """Return whether all numbers fit into a column. SQLite raises an error for larger numbers."""
    largest = BigIntegerField.MAX_BIGINT
    return not any(isinstance(each, int) and abs(each) > largest for each in parameters)
