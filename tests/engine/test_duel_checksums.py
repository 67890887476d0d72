"""Tests that hundreds of duels still match their checksums, turn by turn.

The test plays a different quarter of the duels each day, and `make test-all` plays all of them.

A difference is either a fault or an intended change. After an intended change, regenerate the
checksums (see `duel_checksums`), and say in the commit message which turns changed and why.
"""

from collections import Counter
from itertools import zip_longest

import pytest

import engine.play
from tests import daily
from tests.engine import duel_checksums
from tests.engine.crowded_duels import POSSIBLE_EFFECTS
from tests.engine.duel_checksums import CROWDED, DUELS_PER_RULESET


@pytest.mark.parametrize("ruleset", engine.play.RULESETS)
def test_duels_match_their_checksums_and_cast_every_spell(ruleset: str) -> None:
    """All crowded duels together begin with every effect and cast every spell.

    One test checks everything, because playing the duels is slow.
    """
    written = duel_checksums.stored_checksums(ruleset)
    assert len(written) == DUELS_PER_RULESET
    cast: Counter[str] = Counter()
    in_force: set[str] = set()
    crowded_turns = 0
    for number in daily.sample(range(DUELS_PER_RULESET), 4, ruleset):
        turns = written[number]
        steps = duel_checksums.numbered_duel(ruleset, number)
        for turn, (was, step) in enumerate(zip_longest(turns, steps), 1):
            command = f"python -m tests.engine.duel_checksums show {ruleset} {number} {turn}"
            assert step is not None, command
            assert was == duel_checksums.checksum_of_turn(step), command
            if number < CROWDED:
                crowded_turns += 1
                cast.update(
                    event.spell for event in step.events if isinstance(event, engine.play.Cast)
                )
                for being in (*step.position.wizards, *step.position.monsters):
                    in_force.update(being.effects)
    if not daily.IS_WHOLE:
        return
    rules = engine.play.RULESETS[ruleset]
    assert set(rules.spells) - set(cast) <= {"sacrifice"}
    assert in_force >= {kind for kind in POSSIBLE_EFFECTS if kind in rules.spells}
    assert sum(cast.values()) > 1.5 * crowded_turns
