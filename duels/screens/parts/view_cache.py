"""Caching of values computed from a view, with its `ViewKey` as the key.

The views themselves are large, and `queries.stories` caches them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Protocol, TypeVar

import engine.orders
import engine.play
from duels.caching.caches import KeyedCache
from duels.models import DuelStatus, Stage
from duels.queries.rows import DuelPage
from engine.play import View

Made = TypeVar("Made")
Made_co = TypeVar("Made_co", covariant=True)


@dataclass(frozen=True)
class ViewKey:
    """A key with everything that determines the view of a turn that is waiting for orders.

    Such a view changes only when the turn is resolved or a wizard is renamed.
    """

    duel: str  # the commitment to its seed, which is unique
    turn: int
    first: int  # ordinal of the oldest turn in the view
    observer: str
    names: tuple[tuple[str, str], ...]  # with pronouns
    acts: int = 0  # id of the last act, because ordinals are reused after a rollback


def view_key(page: DuelPage) -> ViewKey | None:
    """Return the key of the page's view, or None if the view can still change during the turn."""
    turn, view = page.turn, page.view
    if page.duel.status != DuelStatus.RUNNING or turn.stage != Stage.ORDERS or turn.resigned:
        return None
    names = tuple((seat.name, seat.wizard.pronouns) for seat in page.seats)
    first = view.turns[0].ordinal if view.turns else turn.ordinal
    duel = page.duel
    return ViewKey(duel.seed_commitment, turn.ordinal, first, page.observer, names, duel.last_act)


@dataclass(frozen=True)
class SheetKey:
    """A key with everything that determines an order sheet without faults."""

    view: ViewKey  # the view of the wizard who writes the orders
    fields: frozenset[tuple[str, str]]


def sheet_key(page: DuelPage, fields: Mapping[str, str]) -> SheetKey | None:
    """Return the key of the page's order sheet with these fields, or None if the sheet must not be
    cached.

    Sheets in lessons are not cached, because the guide marks gestures in them. Sheets with invalid
    fields are not cached either, because they show the draft instead.
    """
    key = None if page.duel.lesson else view_key(page)
    if key is None:
        return None
    try:
        engine.orders.from_fields(fields)
    except engine.play.InvalidData:
        return None
    return SheetKey(key, frozenset(fields.items()))


class ViewFunction(Protocol[Made_co]):
    """A function that computes a value from a view, and caches the value if there is a key."""

    def __call__(self, view: View, key: ViewKey | None = None) -> Made_co: ...


def cache_per_view(name: str, size: int) -> Callable[[Callable[[View], Made]], ViewFunction[Made]]:
    """Decorate a function so that it runs only once for each view that has a key."""

    def cache_results(function: Callable[[View], Made]) -> ViewFunction[Made]:
        cache: KeyedCache[ViewKey, Made] = KeyedCache(name, size, "the ViewKey")

        @wraps(function)
        def cached_function(view: View, key: ViewKey | None = None) -> Made:
            return cache.get(key, lambda: function(view))

        return cached_function

    return cache_results
