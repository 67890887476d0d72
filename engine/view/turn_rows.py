"""A turn's rows in the grid of gestures, with fog, spells and breaks. rules: R132, F34-F38"""

from collections.abc import Container, Mapping, Sequence
from typing import NamedTuple

from engine.events import Broke, Cast, Event, Gestured
from engine.gestures import CLAP, SYMBOLS_OF_PAIR, symbols
from engine.json_values import InvalidData
from engine.positions.history import Turn
from engine.view.sight import events_seen_by
from engine.view.view_types import FOG_ROW, Cell, Row, TurnView


def turn_view(turn: Turn, observer: str) -> TurnView:
    events = tuple(events_seen_by(turn, observer))
    rows: dict[str, list[Row]] = {wizard.id: [] for wizard in turn.position.wizards}
    seen = {(e.wizard, e.set): e for e in events if isinstance(e, Gestured)}
    casts = _casts_by_hand(events)
    for event in turn.events:
        if isinstance(event, Gestured):
            _require_possible(event, rows)
            known = seen.get((event.wizard, event.set))
            rows[event.wizard].append(_row(known, casts) if known else FOG_ROW)
    return TurnView(
        ordinal=turn.ordinal,
        number=turn.position.turn,
        kind=turn.position.kind,
        rows={wizard: tuple(sets) for wizard, sets in rows.items()},
        breaks=tuple(event.wizard for event in events if isinstance(event, Broke)),
        events=events,
    )


def _require_possible(event: Gestured, wizards: Container[str]) -> None:
    """Raise InvalidData for gestures that no wizard of the duel can have made."""
    if event.wizard not in wizards:
        raise InvalidData("gestured.wizard", f"there is no wizard {event.wizard!r}")
    if event.left + event.right not in SYMBOLS_OF_PAIR:
        raise InvalidData("gestured", f"{event.left!r} and {event.right!r} are not gestures")


class GestureKey(NamedTuple):
    """Key of one hand's gesture in one set."""

    wizard: str
    set: int
    hand: str


def _casts_by_hand(events: Sequence[Event]) -> dict[GestureKey, str]:
    """Return the spell of each hand by its gesture; both hands have a two-handed one."""
    return {
        GestureKey(event.wizard, event.set, hand): event.spell
        for event in events
        if isinstance(event, Cast)
        for hand in (("L", "R") if event.hand == "BH" else (event.hand,))
    }


def _row(event: Gestured, casts: Mapping[GestureKey, str]) -> Row:
    pair = event.left + event.right
    both = symbols(pair)[0].islower()

    def make_cell(hand: str, letter: str) -> Cell:
        half = "half_clap" if letter == CLAP and not both else ""
        return Cell(letter, half, casts.get(GestureKey(event.wizard, event.set, hand), ""), both)

    return Row(make_cell("L", event.left), make_cell("R", event.right))
