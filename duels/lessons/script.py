"""What a lesson is, and whether a duel is still where its script leads."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import engine

LEARNER, RIVAL = "w0", "w1"
"""The seats of a lesson."""


@dataclass(frozen=True)
class Step:
    """One turn of a lesson: what is said before it, and what both do who follow it.

    Signs are the left hand's and the right hand's. `{rival}` stands for the opponent's name.
    """

    learner: str
    rival: str
    happened: str
    advice: str


@dataclass(frozen=True)
class Lesson:
    """A guided duel. After `patience` turns the opponent gives up, whoever is ahead."""

    slug: str
    ruleset: str
    setup: str  # the engine's setup as JSON, so that nobody changes it
    steps: tuple[Step, ...]
    patience: int
    won: str
    lost: str

    def begins_from(self) -> dict[str, Any]:
        """The engine's setup."""
        value: dict[str, Any] = json.loads(self.setup)
        return value

    def step_at(self, ordinal: int, position: Mapping[str, Any]) -> Step | None:
        """The step of this turn, if the duel stands where the script leads; None where it strayed.

        `position` is what the turn starts from, as plain JSON.
        """
        known = starts(self)
        if not 1 <= ordinal <= len(known) or _bare(position) != known[ordinal - 1]:
            return None
        return self.steps[ordinal - 1]


@lru_cache
def starts(lesson: Lesson) -> tuple[Any, ...]:
    """What each turn of the script starts from, whatever the wizards are called."""
    duellists = [engine.Duellist("Learner"), engine.Duellist("Rival")]
    position = engine.begin(lesson.ruleset, duellists, setup=lesson.begins_from())
    found = []
    for step in lesson.steps:
        found.append(_bare(engine.dump(position)))
        orders = {LEARNER: signs(step.learner), RIVAL: signs(step.rival)}
        position, _ = engine.resolve(position, orders, {}, engine.NoDice())
    assert position.outcome == LEARNER, "who follows a lesson wins"
    return tuple(found)


def fields_of(pair: str) -> dict[str, str]:
    """Two signs as the fields of orders."""
    return {"left": pair[0], "right": pair[1]}


def signs(pair: str) -> engine.Orders:
    """Orders that say two signs and leave the rest to the defaults."""
    return engine.from_fields(fields_of(pair))


def _bare(position: Any) -> Any:
    """The position without what its wizards are called, as it comes back from JSON."""
    value = json.loads(json.dumps(position))
    for wizard in value["wizards"]:
        wizard.pop("name", None)
        wizard.pop("pronouns", None)
    return value
