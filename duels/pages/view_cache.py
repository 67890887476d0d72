"""What is made of a view is made once for each view, and known by its `ViewKey`.

Views are large, and the same one serves many requests: `queries.stories` keeps them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Protocol, TypeVar

import engine
from duels.caches import KeyedCache
from duels.models import DuelStatus, Stage
from duels.queries import DuelPage
from engine import View

Spells = Mapping[str, str]
Made = TypeVar("Made")
Made_co = TypeVar("Made_co", covariant=True)


@dataclass(frozen=True)
class ViewKey:
    """What a view of a turn that waits for orders depends on: nothing in it changes until that turn
    is played, unless a wizard gets another name."""

    duel: str  # the commitment to its seed: no two duels have the same
    turn: int
    first: int  # the oldest turn that is shown
    observer: str
    names: tuple[tuple[str, str], ...]  # with pronouns
    acts: int = 0  # of referees: one of them may have made other turns of the same ordinals void


def view_key(page: DuelPage) -> ViewKey | None:
    """The key of the page's view; None where what it shows may change within the turn."""
    turn, view = page.turn, page.view
    if turn is None or view is None or page.duel.status != DuelStatus.RUNNING:
        return None
    if turn.stage != Stage.ORDERS or turn.resigned:
        return None
    names = tuple((seat.name, seat.wizard.pronouns) for seat in page.seats)
    first = view.turns[0].ordinal if view.turns else turn.ordinal
    duel = page.duel
    return ViewKey(duel.seed_commitment, turn.ordinal, first, page.observer, names, duel.last_act)


@dataclass(frozen=True)
class SheetKey:
    """What an order sheet depends on that has no faults to tell of: who writes in which turn, and
    what is written."""

    view: ViewKey  # its observer is the one who writes
    fields: frozenset[tuple[str, str]]


def sheet_key(page: DuelPage, fields: Mapping[str, str]) -> SheetKey | None:
    """The key of the page's order sheet with these fields; none for the sheets of lessons, which
    their guide marks, nor for fields without a meaning: the sheet then shows the draft instead."""
    key = None if page.duel.lesson else view_key(page)
    if key is None or not _mean_orders(fields):
        return None
    return SheetKey(key, frozenset(fields.items()))


def _mean_orders(fields: Mapping[str, str]) -> bool:
    try:
        engine.from_fields(fields)
    except engine.InvalidData:
        return False
    return True


class OfView(Protocol[Made_co]):
    """What is made of a view; without a key it is made anew."""

    def __call__(self, view: View, spells: Spells, key: ViewKey | None = None) -> Made_co: ...


def kept_by_view(name: str, size: int) -> Callable[[Callable[[View, Spells], Made]], OfView[Made]]:
    """The function, asked once for each view that has a key."""

    def keep(make: Callable[[View, Spells], Made]) -> OfView[Made]:
        cache: KeyedCache[ViewKey, Made] = KeyedCache(name, size, "the ViewKey")

        @wraps(make)
        def by_key(view: View, spells: Spells, key: ViewKey | None = None) -> Made:
            return cache.get(key, lambda: make(view, spells))

        return by_key

    return keep
