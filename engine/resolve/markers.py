"""Markers won and lost at the end of a duel. rules: R114, R178

The engine knows nothing about other duels: it only reports which markers change hands, and the
caller counts them.
"""

from collections.abc import Sequence

from engine.events import MarkersReturned, MarkerTaken
from engine.positions.position import DEAD, DRAW, Position
from engine.resolve.table import Table


def move_markers(table: Table) -> None:
    """Report the markers that change hands if the duel is over."""
    if table.emit and table.position.outcome and table.rules.markers:
        for event in marker_events(table.position, table.position.outcome):
            table.emit(event)


def marker_events(position: Position, result: str) -> Sequence[MarkerTaken | MarkersReturned]:
    """Return the events of markers won and returned for this result (a wizard's id, or "draw").

    Wizards who surrendered or resigned keep the markers that they had won. The result is empty if
    the ruleset has no markers. rules: R114, R178
    """
    if not position.rules.markers:
        return ()
    others = [wizard for wizard in position.wizards if wizard.id != result]
    taken = [MarkerTaken(result, wizard.id) for wizard in others if result != DRAW]
    return (*taken, *(MarkersReturned(wizard.id) for wizard in others if wizard.standing == DEAD))
