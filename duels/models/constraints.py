"""Building blocks for database constraints and indexes."""

from collections.abc import Collection

from django.db import models
from django.db.models import F, Q


def check(name: str, condition: Q) -> models.CheckConstraint:
    return models.CheckConstraint(condition=condition, name=name)


def one_of(
    field: str, choices: type[models.TextChoices] | Collection[str], *, name: str
) -> models.CheckConstraint:
    """Return a constraint that limits the field to these choices."""
    values = choices.values if isinstance(choices, type) else [str(each) for each in choices]
    return check(name, Q(**{f"{field}__in": values}))


def partial_index(name: str, *columns: str, rows: Q) -> models.Index:
    """Return an index of the rows that meet this condition. Columns with "-" are descending."""
    keys = [F(each[1:]).desc() if each.startswith("-") else F(each) for each in columns]
    return models.Index(*keys, name=name, condition=rows)


def exactly_one_of(one: Q, other: Q) -> Q:
    """Return a condition that is true if exactly one of the two conditions is true."""
    return (one & ~other) | (~one & other)
