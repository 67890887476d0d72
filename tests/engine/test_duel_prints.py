"""Tests that hundreds of duels still match their prints, turn by turn.

A difference is either a fault or an intended change. For an intended change, regenerate the prints
(see `duel_prints`), and say in the commit which turns changed and why.
"""

from collections import Counter
from itertools import zip_longest

import pytest

import engine
from tests.engine import duel_prints
from tests.engine.crowded_duels import EFFECTS
from tests.engine.duel_prints import CROWDED, DUELS


@pytest.mark.parametrize("ruleset", engine.RULESETS)
def test_duels_match_their_prints(ruleset: str) -> None:
    written = duel_prints.recorded(ruleset)
    assert len(written) == DUELS
    for number, turns in enumerate(written):
        now = duel_prints.prints(ruleset, number)
        for turn, (was, is_) in enumerate(zip_longest(turns, now), 1):
            command = f"python -m tests.engine.duel_prints show {ruleset} {number} {turn}"
            assert was == is_, command


@pytest.mark.parametrize("ruleset", engine.RULESETS)
def test_crowded_duels_cast_every_spell_and_begin_with_every_effect(ruleset: str) -> None:
    cast: Counter[str] = Counter()
    in_force: set[str] = set()
    turns = 0
    for number in range(CROWDED):
        for step in duel_prints.duel(ruleset, number):
            turns += 1
            cast.update(event.spell for event in step.events if isinstance(event, engine.Cast))
            for wizard in step.position.wizards:
                in_force.update(wizard.effects)
            for monster in step.position.monsters:
                in_force.update(monster.effects)
    rules = engine.RULESETS[ruleset]
    assert set(rules.spells) - set(cast) <= {"sacrifice"}
    assert in_force >= {kind for kind in EFFECTS if kind in rules.spells}
    assert sum(cast.values()) > 1.5 * turns
