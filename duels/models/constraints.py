"""What several tables say in their constraints."""

from collections.abc import Collection

from django.db import models
from django.db.models import Q


def one_of(
    field: str, choices: type[models.TextChoices] | Collection[str], *, name: str
) -> models.CheckConstraint:
    """A constraint: the field holds one of the choices, whoever writes it."""
    values = choices.values if isinstance(choices, type) else [str(each) for each in choices]
    return models.CheckConstraint(condition=Q(**{f"{field}__in": values}), name=name)


def either(one: Q, other: Q) -> Q:
    """One of the two and not both."""
    return (one & ~other) | (~one & other)
