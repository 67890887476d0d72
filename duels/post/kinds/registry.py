"""Registry of all kinds of notices, which finds the class in each module of this package."""

import pkgutil
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from types import ModuleType

from duels.post import kinds
from duels.post.kinds.base import NoticeKind
from duels.post.models import Notice


@cache
def all_kinds() -> dict[str, NoticeKind]:
    """Return all kinds by code."""
    names = [module.name for module in pkgutil.iter_modules(kinds.__path__)]
    modules = [import_module(f"{kinds.__name__}.{name}") for name in names]
    return {kind.code: kind() for module in modules for kind in _kinds_defined_in(module)}


def kind_of(notice: Notice) -> NoticeKind:
    return all_kinds()[notice.kind]


def codes_of_kinds(condition: Callable[[NoticeKind], bool]) -> list[str]:
    """Return the codes of the kinds that meet this condition, for queries."""
    return [kind.code for kind in all_kinds().values() if condition(kind)]


def _kinds_defined_in(module: ModuleType) -> Iterator[type[NoticeKind]]:
    for value in vars(module).values():
        is_kind = isinstance(value, type) and issubclass(value, NoticeKind)
        if is_kind and value.__module__ == module.__name__ and value is not NoticeKind:
            yield value
