"""The structure of lessons, and a check whether a duel still follows its script."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import engine.orders
import engine.play

LEARNER, RIVAL = "w0", "w1"
"""The learner's seat and the opponent's seat in a lesson."""


@dataclass(frozen=True)
class LessonTurn:
    """One turn of a lesson, with the text shown before it and both wizards' gestures.

    The left hand's gesture comes first. In texts, the opponent's name replaces `{rival}`.
    """

    learner: str
    rival: str
    happened: str
    advice: str


@dataclass(frozen=True)
class Lesson:
    """A guided duel. The opponent surrenders after `patience` turns, even when ahead."""

    slug: str
    ruleset: str
    setup: str  # the engine's setup as JSON text, which is immutable
    steps: tuple[LessonTurn, ...]
    patience: int
    won: str
    lost: str

    def engine_setup(self) -> dict[str, Any]:
        """Return the setup of the lesson, parsed from JSON."""
        value: dict[str, Any] = json.loads(self.setup)
        return value

    def step_at(self, ordinal: int, position: Mapping[str, Any]) -> LessonTurn | None:
        """Return the step of this turn, or None if the duel no longer follows the script.

        `position` is the position before the turn, as plain JSON.
        """
        known = positions_before_turns(self)
        if (
            not 1 <= ordinal <= len(known)
            or _position_without_names(position) != known[ordinal - 1]
        ):
            return None
        return self.steps[ordinal - 1]


@lru_cache
def positions_before_turns(lesson: Lesson) -> tuple[Any, ...]:
    """Return the position before each turn of the script, without the wizards' names."""
    duellists = [engine.play.Duellist("Learner"), engine.play.Duellist("Rival")]
    position = engine.play.begin(lesson.ruleset, duellists, setup=lesson.engine_setup())
    found = []
    for step in lesson.steps:
        found.append(_position_without_names(engine.play.dump(position)))
        orders = {LEARNER: gesture_orders(step.learner), RIVAL: gesture_orders(step.rival)}
        position, _ = engine.play.resolve(position, orders, {}, engine.play.NoDice())
    assert position.outcome == LEARNER, "a learner who follows the script wins"
    return tuple(found)


def gesture_fields(pair: str) -> dict[str, str]:
    return {"left": pair[0], "right": pair[1]}


def gesture_orders(pair: str) -> engine.orders.Orders:
    """Return orders with these two gestures and defaults for everything else."""
    return engine.orders.from_fields(gesture_fields(pair))


def _position_without_names(position: Any) -> Any:
    """Return the position as plain JSON, without its wizards' names and pronouns."""
    value = json.loads(json.dumps(position))
    for wizard in value["wizards"]:
        wizard.pop("name", None)
        wizard.pop("pronouns", None)
    return value
