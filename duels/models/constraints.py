"""Building blocks for database constraints."""

from collections.abc import Collection

from django.db import models
from django.db.models import Q


def check(name: str, condition: Q) -> models.CheckConstraint:
    return models.CheckConstraint(condition=condition, name=name)


def one_of(
    field: str, choices: type[models.TextChoices] | Collection[str], *, name: str
) -> models.CheckConstraint:
    """Return a constraint that limits the field to these choices."""
    values = choices.values if isinstance(choices, type) else [str(each) for each in choices]
    return check(name, Q(**{f"{field}__in": values}))


def exactly_one_of(one: Q, other: Q) -> Q:
    """Return a condition that is true if exactly one of the two conditions is true."""
    return (one & ~other) | (~one & other)
