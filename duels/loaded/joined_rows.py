"""Queries that load rows of several models at once, in handwritten SQL that is composed once.

Django would compile a join of six tables again for every call, which takes longer than the query
itself. This module only converts columns to instances. The modules that use it write the joins.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import BigIntegerField, Model
from django.utils import timezone

TIME = "SELECT clock_timestamp()"  # SQL for the time by PostgreSQL's clock

AnyModel = TypeVar("AnyModel", bound=Model)
Converter = Callable[[Any], Any]


class Columns(Generic[AnyModel]):
    """All columns of a model, with the table's alias in a statement."""

    def __init__(self, model: type[AnyModel], alias: str) -> None:
        self.model = model
        self.alias = alias
        self.fields = model._meta.concrete_fields
        self.names = [field.attname for field in self.fields]
        self.key = self.names.index("id")

    def __len__(self) -> int:
        return len(self.fields)

    @property
    def sql(self) -> str:
        """The columns as SQL to write after SELECT."""
        return ", ".join(f'{self.alias}."{field.column}"' for field in self.fields)

    def has_row(self, values: Sequence[Any]) -> bool:
        """Return whether these values are a row, not the nulls of an outer join."""
        return values[self.key] is not None

    def make_instance(self, values: Sequence[Any]) -> AnyModel:
        """Return an instance with these column values."""
        kept = list(values)
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
    """Return all rows of this statement, or none if a number is too large for any column."""
    if not _numbers_fit(parameters):
        return []
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def fetch_locked_rows(
    lock: str, sql: str, parameters: Sequence[Any]
) -> tuple[datetime, list[tuple[Any, ...]]]:
    """Run a statement that locks a row, then return the time and all rows of the second one.

    `parameters` has the parameters of both. PostgreSQL receives both statements at once, but runs
    the second one only after it has the lock, with a new snapshot that includes everything
    committed during the wait. SQLite locks the whole database at BEGIN, so it runs only the second
    statement. The returned time is the database's, after the row is locked.
    """
    assert connection.in_atomic_block, "a lock lasts until the end of its transaction"
    if not _numbers_fit(parameters):
        return timezone.now(), []
    if not connection.features.has_select_for_update:
        return timezone.now(), fetch_rows(sql, parameters[lock.count("%s") :])
    with connection.cursor() as cursor:
        cursor.execute(f"{lock};{TIME};{sql}", parameters)
        cursor.nextset()
        (now,) = cursor.fetchone()
        cursor.nextset()
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return now, rows


def _numbers_fit(parameters: Sequence[Any]) -> bool:
    """Return whether all numbers fit into a column. SQLite raises an error for larger ones."""
    largest = BigIntegerField.MAX_BIGINT
    return not any(isinstance(each, int) and abs(each) > largest for each in parameters)
