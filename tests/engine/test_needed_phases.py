"""Tests that skipping phases of magic gives the same turns as playing every phase."""

import random
from itertools import chain

import pytest

import engine.play
from bench.planned import planned_duel
from engine.resolve import ORDERS_OF_PLAY, SEALED_MAGIC_PHASES, needed_phases
from engine.resolve.enchant import apply_enchantments
from engine.resolve.land import land_casts
from engine.resolve.summon import merge_elementals
from engine.rulesets.choices import STEPWISE
from tests.engine.random_duels import random_duel

DUEL_COUNT = 12
RULESETS = [id for id, ruleset in engine.play.RULESETS.items() if ruleset.order_of_play != STEPWISE]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_skipped_phases_would_change_nothing(ruleset: str) -> None:
    play = ORDERS_OF_PLAY[engine.play.RULESETS[ruleset].order_of_play]
    for number in range(DUEL_COUNT):
        chance = random.Random(f"work {ruleset} {number}")
        wizards = 2 + number % 3
        planned = planned_duel(chance, ruleset=ruleset, wizards=wizards)
        chosen = random_duel(chance, wizards=wizards, turns=25, ruleset=ruleset, surrendering=0.01)
        for step in chain(planned, chosen):
            told: list[engine.play.Event] = []
            *_, (_, after) = play.iterate_phases(
                step.position, step.orders, step.answers, step.dice, told.append
            )
            assert after == step.after
            assert tuple(told) == step.events


def test_phases_without_a_spell_for_them_are_skipped() -> None:
    """If no phase were skipped, the test above would compare two identical ways of playing."""
    shield = engine.play.RULESETS["bartle-1"].spells["shield"]
    assert needed_phases(SEALED_MAGIC_PHASES, (shield,)) == (
        merge_elementals,
        land_casts,
        apply_enchantments,
    )
