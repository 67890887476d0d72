"""Tests of fields of rulesets and of spells' rows that concern damage, healing and death."""

from typing import Any

import pytest

import engine.play
from engine.rulesets.choices import Preference
from tests.engine.board import ADA, BRAM, Row, begun, duel, made, play_turn, under_effects
from tests.engine.changed_rulesets import (
    BRAMS_GOBLIN,
    HANDS_BEFORE_MIRROR,
    IN_SEALED_AND_NUMBERED_PLAY,
    IN_SEALED_AND_STEPWISE_PLAY,
    TEST_RULESET,
    event_causes,
)


@IN_SEALED_AND_STEPWISE_PLAY
@pytest.mark.parametrize(("fizzles", "spells"), [(True, ["lightning_bolt"]), (False, [])])
def test_ruleset_decides_if_a_second_short_bolt_is_a_cast(
    publish_variant: Any, play: str, fizzles: bool, spells: list[str]
) -> None:
    """rules: R18"""
    ada = begun("WDD", "---", used_bolt=True)
    before = duel(ada, ruleset=publish_variant(play, spent_fizzles=fizzles))
    after, events = play_turn(before, ada=made("C C"))
    assert [e.spell for e in events if isinstance(e, engine.events.Cast)] == spells
    assert event_causes(events, "failed") == (["spent"] if fizzles else [])
    assert after.wizard(BRAM).damage == 0


@IN_SEALED_AND_NUMBERED_PLAY
@pytest.mark.parametrize(("spares", "standing"), [(True, "surrendered"), (False, "dead")])
def test_ruleset_decides_if_illness_kills_a_surrendering_wizard(
    publish_variant: Any, play: str, spares: bool, standing: str
) -> None:
    """rules: R112, W31"""
    ruleset = publish_variant(play, illness_spares_the_surrendering=spares)
    before = duel({}, under_effects(poison={"turns": 1}), {}, ruleset=ruleset)
    after, _ = play_turn(before, bram=made("P P"))
    assert after.wizard(BRAM).standing == standing


@pytest.mark.parametrize(
    ("preference", "cast"),
    [(Preference.LONGEST, "finger_of_death"), (Preference.BOTH_HANDS, "blindness")],
)
def test_ruleset_prefers_the_longer_or_the_two_handed_spell(
    publish_ruleset: Any, preference: Preference, cast: str
) -> None:
    """The order sheet preselects the preferred spell. rules: R7, W2"""
    before = duel(begun("---DWFF", "PWPFSSS"), ruleset=publish_ruleset(preference=preference))
    _, events = play_turn(before, ada=made("D D"))
    assert [e.spell for e in events if isinstance(e, engine.events.Cast)] == [cast]
    rows = engine.play.sheet(before, ADA).sets[0].completions["DD"]
    assert [row.spell for row in rows if row.default] == [cast]


@pytest.mark.parametrize("unspent", [True, False])
def test_ruleset_decides_if_a_dispelled_short_bolt_is_used_up(
    publish_ruleset: Any, unspent: bool
) -> None:
    """rules: R18, W5"""
    ruleset = publish_ruleset(dispelled_is_unspent=unspent)
    before = duel(begun("WDD", "---"), begun("CDP", "C--"), ruleset=ruleset)
    after, _ = play_turn(before, ada=made("C C"), bram=made("W -"))
    assert after.wizard(ADA).used_bolt == (not unspent)


def test_dispelled_long_bolt_does_not_restore_the_used_short_bolt(publish_ruleset: Any) -> None:
    """rules: R18, W5"""
    ruleset = publish_ruleset(dispelled_is_unspent=True)
    ada = begun("DFFD", "----", used_bolt=True)
    before = duel(ada, begun("-CDP", "-C--"), ruleset=ruleset)
    after, events = play_turn(before, ada=made("D -"), bram=made("W -"))
    assert ("lightning_bolt", "dispelled") in [
        (each.spell, each.cause) for each in events if isinstance(each, engine.events.Failed)
    ]
    assert after.wizard(ADA).used_bolt


@pytest.mark.parametrize("meet", [True, False])
def test_ruleset_decides_if_a_spell_between_two_mirrors_is_lost(
    publish_ruleset: Any, meet: bool
) -> None:
    """rules: R41, W37"""
    before = duel(
        {**HANDS_BEFORE_MIRROR, "bank": "missile"},
        HANDS_BEFORE_MIRROR,
        ruleset=publish_ruleset(mirrors_meet=meet),
    )
    release = made("W W", release="yes", release_subject=BRAM)
    after, events = play_turn(before, ada=release, bram=made("W W"))
    assert [each.damage for each in after.wizards] == ([0, 0] if meet else [1, 0])
    assert event_causes(events, "failed") == (["mirrors"] if meet else [])


@pytest.mark.parametrize(("surplus", "damage"), [(0, 0), (1, -1), (5, -2)])
def test_ruleset_sets_how_far_cures_heal_above_full_health(
    publish_ruleset: Any, surplus: int, damage: int
) -> None:
    """The hit points include the surplus, and a stored position keeps it. rules: R30, W4"""
    before = duel(begun("DFP"), ruleset=publish_ruleset(surplus=surplus))
    after, events = play_turn(before, ada=made("W -", left_spell="cure_heavy_wounds"))
    assert after.wizard(ADA).damage == damage
    view = engine.play.view(engine.play.History((engine.play.Turn(1, before, events),), after), ADA)
    assert view.status[0].hit_points == 15 - damage
    assert engine.play.load(engine.play.dump(after)) == after


def test_position_rejects_more_surplus_than_a_cure_gives(publish_ruleset: Any) -> None:
    """rules: W4"""
    rows = [engine.play.dump(duel({"damage": -1}, ruleset=publish_ruleset(surplus=1)))]
    rows.append(
        engine.play.dump(duel(monsters=[{**BRAMS_GOBLIN, "damage": -1}], ruleset=TEST_RULESET))
    )
    for row in rows:
        assert engine.play.load(row) == engine.play.load(row)
        with pytest.raises(engine.play.InvalidData, match="damage: must be a whole number from 0"):
            engine.play.load({**row, "ruleset": "bartle-1"})
    with pytest.raises(engine.play.InvalidData, match=r"wizards\[0\].damage: .* from -1"):
        duel({"damage": -2}, ruleset=TEST_RULESET)


@pytest.mark.parametrize(("first", "damage"), [(True, 1), (False, 0)])
def test_ruleset_decides_if_cures_come_before_damage(
    publish_ruleset: Any, first: bool, damage: int
) -> None:
    """rules: R30, W4"""
    before = duel(begun("DF"), begun("S"), ruleset=publish_ruleset(cures_first=first))
    after, _ = play_turn(before, ada=made("W -"), bram=made("D -"))
    assert after.wizard(ADA).damage == damage


@pytest.mark.parametrize(("death_first", "outcome"), [(True, ADA), (False, "draw")])
def test_ruleset_decides_if_surrender_counts_as_the_last_opponent_dies(
    publish_ruleset: Any, death_first: bool, outcome: str
) -> None:
    """rules: R111, W48"""
    ours: Row = {"kind": "goblin", "controller": ADA, "victim": BRAM}
    ruleset = publish_ruleset(death_before_surrender=death_first)
    before = duel({}, {"damage": 14}, monsters=[ours], ruleset=ruleset)
    after, _ = play_turn(before, ada=made("P P"))
    assert after.outcome == outcome
