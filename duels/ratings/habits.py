"""The openings and the cast spells of the wizards in a duel that has ended."""

from collections.abc import Mapping
from typing import Any, Final

import engine.words
from duels.commands.duel_end import DuelEnd
from duels.loaded import adjudication
from duels.models import Turn
from engine.play import Gestured

OPENING_LENGTH: Final = 3  # number of gestures of each hand in an opening


def habits_by_wizard(end: DuelEnd) -> Mapping[str, dict[str, Any]]:
    """Return the habits of each wizard who made a gesture in the duel, as values of `RatingChange`:
    the first gestures (`opening`), and how often they cast each spell (`spells`).
    """
    turns = Turn.objects.filter(duel=end.duel).exclude(events=None).order_by("ordinal")
    history = adjudication.history(turns, end.position)
    if not history.turns:
        return {}
    sets: dict[str, list[Gestured]] = {}
    for turn in history.turns:
        for event in turn.events:
            if isinstance(event, Gestured):
                sets.setdefault(event.wizard, []).append(event)
    casts = {story.wizard: story.cast for story in engine.words.story_of(history).wizards}
    return {
        wizard: {
            "opening": _opening(made),
            "spells": {count.spell: count.times for count in casts[wizard]},
        }
        for wizard, made in sets.items()
    }


def _opening(sets: list[Gestured]) -> str:
    first = sets[:OPENING_LENGTH]
    return "/".join("".join(hand) for hand in zip(*((s.left, s.right) for s in first), strict=True))
