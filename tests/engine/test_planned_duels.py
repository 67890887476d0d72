"""Tests that the speed benchmark plays realistic duels, and plays them correctly."""

import random
from collections import Counter
from itertools import chain
from pathlib import Path

import pytest

import engine.play
from bench.against import EngineCheckout, serialised_duel
from bench.planned import planned_duel

ROOT = Path(__file__).parent.parent.parent
DUEL_COUNT = 20


@pytest.mark.parametrize("ruleset", engine.play.RULESETS)
def test_planned_duels_cast_long_spells_and_end(ruleset: str) -> None:
    played = [
        list(planned_duel(random.Random(seed), ruleset=ruleset)) for seed in range(DUEL_COUNT)
    ]
    told = Counter(type(event).__name__ for step in chain(*played) for event in step.events)
    long = [
        event
        for step in chain(*played)
        for event in step.events
        if isinstance(event, engine.play.Cast) and len(event.pattern) > 2
    ]
    turns = sum(map(len, played))
    assert all(duel[-1].after.outcome for duel in played)
    assert len(long) > turns / 2
    assert told["Summoned"] > DUEL_COUNT / 2
    assert told["Enchanted"] > DUEL_COUNT / 2


def test_benchmark_plays_the_same_duels_with_the_engine_of_a_checkout() -> None:
    prepared = [
        serialised_duel("bartle-1", planned_duel(random.Random(seed)), seed)
        for seed in range(DUEL_COUNT)
    ]
    ends = EngineCheckout(ROOT).outcomes({"planned": prepared})["planned"]
    last = [list(planned_duel(random.Random(seed)))[-1].after for seed in range(DUEL_COUNT)]
    assert [end.split()[:2] for end in ends] == [
        [str(position.turn), position.outcome] for position in last
    ]


def test_benchmark_skips_a_duel_with_illegal_orders() -> None:
    duel = serialised_duel("bartle-1", planned_duel(random.Random(1)), 1)
    duel["turns"][0]["orders"]["w0"] = {"left": ">", "right": ">"}
    assert EngineCheckout(ROOT).outcomes({"planned": [duel]}) == {"planned": [""]}
