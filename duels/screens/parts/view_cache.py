"""Keys of caches for values that are computed from a view or for an order sheet.

The views themselves are large, and `queries.stories` caches them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import engine.orders
import engine.play
from duels.models import DuelStatus, Stage
from duels.queries.rows import DuelPage


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
