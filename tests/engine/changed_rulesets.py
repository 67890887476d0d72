"""Helpers of the tests of single fields of rulesets."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

import engine.play
from engine.positions.position import Monster, Position
from engine.rulesets import BARTLE_1
from engine.rulesets.ruleset import Ruleset
from engine.rulesets.spellcast import SPELLCAST_1
from engine.rulesets.warlocks import WARLOCKS_1
from engine.spellbook import Duration
from tests.engine.board import ADA, BRAM, Row, begun

Rows = Mapping[str, Mapping[str, Any]]
TEST_RULESET = "trial-1"
RULESET_OF_EACH_PLAY: dict[str, Ruleset] = {
    "sealed": BARTLE_1,
    "stepwise": SPELLCAST_1,
    "numbered": WARLOCKS_1,
}
IN_EVERY_PLAY = pytest.mark.parametrize("play", RULESET_OF_EACH_PLAY)
IN_SEALED_AND_STEPWISE_PLAY = pytest.mark.parametrize("play", ["sealed", "stepwise"])
IN_SEALED_AND_NUMBERED_PLAY = pytest.mark.parametrize("play", ["sealed", "numbered"])
LONG_TIME_STOP: Rows = {"time_stop": {"lasts": Duration.THREE_TURNS}}
THREE_TURNS: Row = {"turns": 3}
BRAMS_GOBLIN: Row = {"kind": "goblin", "controller": BRAM, "victim": ADA}
HANDS_BEFORE_MIRROR: Row = begun("C", "C")


def find_monster(position: Position, id: str) -> Monster | None:
    being = position.being(id)
    return being if isinstance(being, Monster) else None


def event_causes(events: Sequence[engine.play.Event], code: str) -> list[str]:
    return [event.cause for event in events if event.code == code]  # type: ignore[union-attr]


def has_effect(position: Position, id: str, effect: str) -> bool:
    return effect in position.wizard(id).effects
