"""Views: an observer's knowledge of a duel. The engine shows players a duel only through views.

An observer is a seat ("w0"), "spectator" (sees what every seated wizard may see) or "all" (the open
record). rules: turn:seeing, R81, R94, R121, R132, R145, R147, F36-F42, F53, F55-F60
"""

from collections.abc import Sequence

from engine.events import Summoned
from engine.positions.history import History
from engine.view.hands import hands_in_progress
from engine.view.runs import runs
from engine.view.status import status_list
from engine.view.turn_rows import turn_view
from engine.view.view_types import ALL, SPECTATOR, BeingView, TurnView, View, WizardView


def view(history: History, observer: str) -> View:
    """Return everything that this observer may see of the history.

    Raises KeyError if the observer is not a seat, "spectator" or "all", and InvalidData if a turn
    has gestures that nobody can make.
    """
    position = history.position
    if observer not in (ALL, SPECTATOR):
        position.wizard(observer)
    turns = tuple(turn_view(turn, observer) for turn in history.turns)
    status = tuple(status_list(position, observer))
    return View(
        observer=observer,
        ruleset=position.ruleset,
        options=position.options,
        turn=position.turn,
        kind=position.kind,
        outcome=position.outcome,
        wizards=tuple(
            WizardView(w.id, w.name, w.pronouns, w.id == observer, w.standing)
            for w in position.wizards
        ),
        turns=turns,
        status=status,
        hands=tuple(hands_in_progress(history, turns, status, observer)),
        names=_names(history, turns, status),
        runs=tuple(runs(turns)),
        is_open=history.is_open,
    )


def _names(
    history: History, turns: Sequence[TurnView], status: Sequence[BeingView]
) -> dict[str, str]:
    """Return the names of all beings that the view mentions."""
    every: dict[str, str] = {}
    for turn in history.turns:
        every.update({monster.id: monster.name for monster in turn.position.monsters})
        every.update({e.monster: e.name for e in turn.events if isinstance(e, Summoned)})
    spoken = {
        value
        for turn in turns
        for event in turn.events
        for name in event.__dataclass_fields__
        if isinstance(value := getattr(event, name), str) and value in every
    }
    names = {being.id: being.name for being in status}
    return {id: every[id] for id in sorted(spoken)} | names
