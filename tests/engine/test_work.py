"""Tests that skipping phases without work has the same result as running every phase."""

import random
from dataclasses import replace
from itertools import chain
from typing import Any, cast

import pytest

import engine
from bench.planned import planned_duel
from engine import work
from engine.resolve import NEEDS, ORDERS_OF_PLAY, WORK_CHANGING_PHASES, OrderOfPlay
from engine.resolve.table import Table
from engine.rulesets.choices import STEPWISE
from tests.engine.random_duels import random_duel

DUELS = 12
RULESETS = [id for id, ruleset in engine.RULESETS.items() if ruleset.order_of_play != STEPWISE]


def busy_table(*given: Any, **named: Any) -> Table:
    """Return a table that makes every phase run."""
    table = Table(*given, **named)
    table.work = -1
    return table


@pytest.mark.parametrize("ruleset", RULESETS)
def test_turns_have_the_same_result_if_every_phase_runs(ruleset: str) -> None:
    play = ORDERS_OF_PLAY[engine.RULESETS[ruleset].order_of_play]
    busy = replace(cast("OrderOfPlay[Table]", play), table=cast("type[Table]", busy_table))
    for number in range(DUELS):
        chance = random.Random(f"work {ruleset} {number}")
        wizards = 2 + number % 3
        planned = planned_duel(chance, ruleset=ruleset, wizards=wizards)
        chosen = random_duel(chance, wizards=wizards, turns=25, ruleset=ruleset, surrendering=0.01)
        for step in chain(planned, chosen):
            told: list[engine.Event] = []
            after = busy.resolve(step.position, step.orders, step.answers, step.dice, told.append)
            assert after == step.after
            assert tuple(told) == step.events


@pytest.mark.parametrize("ruleset", RULESETS)
def test_only_registered_phases_change_the_work(ruleset: str) -> None:
    """After a phase not registered as giving work, the list of later phases is not updated."""
    phases = cast(
        "OrderOfPlay[Table]", ORDERS_OF_PLAY[engine.RULESETS[ruleset].order_of_play]
    ).phases
    given = set[object]()
    for number in range(DUELS):
        chance = random.Random(f"work {ruleset} {number}")
        for step in planned_duel(chance, ruleset=ruleset, wizards=2 + number % 3):
            table = Table(step.position, step.orders, step.answers, step.dice, None)
            for phase in phases:
                if NEEDS.get(phase, work.ALWAYS) & table.work:
                    before = table.work
                    phase(table)
                    given |= {phase} if table.work != before else set()
    assert given
    assert given <= WORK_CHANGING_PHASES


def test_phase_without_its_need_is_skipped() -> None:
    """This ensures that the first test of this file compares different ways of playing."""
    position = engine.begin("bartle-1", [engine.Duellist("Ada"), engine.Duellist("Bram")])
    assert Table(position, {}, {}, engine.RecordedDice(sequence=[]), None).work == work.ALWAYS
    assert all(not need & work.ALWAYS for need in NEEDS.values())


@pytest.mark.parametrize("ruleset", engine.RULESETS)
def test_every_spell_makes_the_magic_phase_run(ruleset: str) -> None:
    for spell in engine.RULESETS[ruleset].spells.values():
        assert spell.work & work.MAGIC, spell.id
