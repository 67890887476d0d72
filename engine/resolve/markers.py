"""Markers: what the end of a duel won and lost of them. rules: R114, R178

The engine knows of no other duel: it says what changes hands, and who keeps them counts them.
"""

from collections.abc import Sequence

from engine.events import MarkersReturned, MarkerTaken
from engine.position import DEAD, DRAW, Position
from engine.resolve.table import Table


def move_markers(table: Table) -> None:
    """The duel is over, and its markers change hands."""
    if table.emit and table.position.outcome and table.rules.markers:
        for event in markers_moved(table.position, table.position.outcome):
            table.emit(event)


def markers_moved(position: Position, result: str) -> Sequence[MarkerTaken | MarkersReturned]:
    """What this end of the duel (a wizard's id, or "draw") gives and takes away.

    Whoever left the duel alive has surrendered or resigned: they keep what they had won. Empty
    where no markers are played for. rules: R114, R178
    """
    if not position.rules.markers:
        return ()
    others = [wizard for wizard in position.wizards if wizard.id != result]
    taken = [MarkerTaken(result, wizard.id) for wizard in others if result != DRAW]
    return (*taken, *(MarkersReturned(wizard.id) for wizard in others if wizard.standing == DEAD))
