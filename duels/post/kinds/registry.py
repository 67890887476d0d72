"""Registry of all kinds of notices, which finds the class in each module of this package."""

import pkgutil
from collections.abc import Callable
from functools import cache
from importlib import import_module
from operator import attrgetter

from duels.post import kinds
from duels.post.kinds.base import NoticeKind
from duels.post.models import Notice


@cache
def all_kinds() -> dict[str, NoticeKind]:
    """Return all kinds by code."""
    for module in pkgutil.iter_modules(kinds.__path__):
        import_module(f"{kinds.__name__}.{module.name}")
    classes = sorted(NoticeKind.__subclasses__(), key=attrgetter("__module__"))
    return {kind.code: kind() for kind in classes if kind.__module__.startswith(kinds.__name__)}


def kind_of(notice: Notice) -> NoticeKind:
    return all_kinds()[notice.kind]


def codes_of_kinds(condition: Callable[[NoticeKind], bool]) -> list[str]:
    """Return the codes of the kinds that meet this condition, for queries."""
    return [kind.code for kind in all_kinds().values() if condition(kind)]
