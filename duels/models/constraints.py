"""Building blocks for database constraints."""

from collections.abc import Collection

from django.db import models
from django.db.models import Q


def one_of(
    field: str, choices: type[models.TextChoices] | Collection[str], *, name: str
) -> models.CheckConstraint:
    """Return a constraint that limits the field to these choices."""
    values = choices.values if isinstance(choices, type) else [str(each) for each in choices]
    return models.CheckConstraint(condition=Q(**{f"{field}__in": values}), name=name)


def exactly_one_of(one: Q, other: Q) -> Q:
    """Return a condition that is true if exactly one of the two conditions is true."""
    return (one & ~other) | (~one & other)
