"""Which sealed fields an observer has seen come true: a letter as it was made, words as they were
said. Which they are follows from the view alone, so that to publish them tells nothing more.

A letter that a mind spell decided, or that the one knife kept back, was perhaps not the letter that
was ordered. A hand that did nothing may have had no letter at all. What a spell was meant for may
have been written or left to the default. All of that stays closed. rules: promise 2
"""

from engine.events import Gestured, KnifeKept, Overridden, Spoke
from engine.gestures import NOTHING
from engine.view.shapes import TurnView


def shown_fields(turn: TurnView) -> dict[str, dict[str, str]]:
    """By wizard the fields of orders, with their values, that this turn shows to its observer."""
    decided = {
        (event.wizard, event.set, event.hand)
        for event in turn.events
        if isinstance(event, Overridden | KnifeKept)
    }
    shown: dict[str, dict[str, str]] = {}
    for event in turn.events:
        if isinstance(event, Gestured):
            for name, hand, letter in (("left", "L", event.left), ("right", "R", event.right)):
                if letter != NOTHING and (event.wizard, event.set, hand) not in decided:
                    field = name if event.set == 1 else f"{name}{event.set}"
                    shown.setdefault(event.wizard, {})[field] = letter
        elif isinstance(event, Spoke):
            shown.setdefault(event.wizard, {})["say"] = event.words
    return shown
