"""The practice opponent defends itself when a wizard or chance may change a hand."""

import random

import pytest

import engine.orders
import engine.play
from duels.practice import play
from engine.rulesets.choices import HandNamingTime
from tests.duels.practice_positions import (
    ADA,
    BRAM,
    RULESETS,
    add_mind_spell,
    add_monsters,
    assert_ada_survives,
    assert_ada_survives_with_any_dice,
    history_after,
    is_dead,
    set_effects,
)

pytestmark = pytest.mark.long


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("mind", ["charm_person", "confusion"])
def test_practice_opponent_does_not_rely_on_a_hand_that_an_enemy_may_change(
    ruleset: str, mind: str
) -> None:
    """A stab would kill Ada unless she makes a Shield with the hand that cannot be changed."""
    rules = engine.play.RULESETS[ruleset]
    effect: dict[str, object] = {"turns": 1, "caster": BRAM}
    if mind == "charm_person" and rules.hand_named is not HandNamingTime.WHEN_IT_ACTS:
        effect["hand"] = "R"
    setup = {"wizards": [{"damage": rules.wizard_hit_points - 1, "effects": {mind: effect}}, {}]}
    history = history_after(dict(setup), [], ruleset)
    stab = {"left": ">", "charmed:w0.R": "-"} if mind == "charm_person" else {"left": ">"}
    bram = engine.orders.from_fields(stab)
    assert not engine.play.check(history.position, BRAM, bram)
    hands = engine.play.sheet(history.position, ADA).sets[0]
    for seed in range(6):
        orders = play.choose_orders(history, ADA, random.Random(seed))
        if hands.left.changeable:
            assert "P" in orders.first_set.pair, "either hand may change"
        else:
            assert not is_dead(history.position, {ADA: orders, BRAM: bram}), orders


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("mind", ["charm_person", "confusion"])
def test_practice_opponent_expects_a_changed_hand_to_cast_a_reflected_spell(
    ruleset: str, mind: str
) -> None:
    """If Ada's right hand changes to D, its Cause Heavy Wounds must not reach Bram's mirror."""
    rules = engine.play.RULESETS[ruleset]
    effect: dict[str, object] = {"turns": 1, "caster": BRAM}
    if mind == "charm_person" and rules.hand_named is not HandNamingTime.WHEN_IT_ACTS:
        effect["hand"] = "R"
    rows = [("-W", "--"), ("-P", "--"), ("-F", "CC")]
    ada: dict[str, object] = {"damage": rules.wizard_hit_points - 2}
    history = history_after({"wizards": [ada, {}]}, rows, ruleset)
    add_monsters(history.position, [{"kind": "goblin", "controller": ADA}])
    add_mind_spell(history.position, mind, effect)
    charm = {"charmed:w0.R": "D"} if mind == "charm_person" else {}
    mirror = engine.orders.from_fields({"left": "W", "right": "W", **charm})
    assert not engine.play.check(history.position, BRAM, mirror)
    assert_ada_survives_with_any_dice(history, mirror)


def test_practice_opponent_does_not_aim_a_hand_at_itself_that_may_stab() -> None:
    """In warlocks, a confused hand may stab the subject of its spell. Bram also stabs Ada."""
    damage = engine.play.RULESETS["warlocks-1"].wizard_hit_points - 2
    history = history_after(
        {"wizards": [{"damage": damage}, {}]}, [("-S", "--"), ("-F", "--")], "warlocks-1"
    )
    add_mind_spell(history.position, "confusion", {"turns": 1, "caster": BRAM})
    assert_ada_survives_with_any_dice(history, engine.orders.from_fields({"left": ">"}))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_confused_practice_opponent_releases_its_shield_without_a_palm(ruleset: str) -> None:
    """Bram stabs Ada, who has one hit point. A palm might become a surrender."""
    damage = engine.play.RULESETS[ruleset].wizard_hit_points - 1
    history = history_after({"wizards": [{"damage": damage, "bank": "shield"}, {}]}, [], ruleset)
    add_mind_spell(history.position, "confusion", {"turns": 1, "caster": BRAM})
    assert_ada_survives_with_any_dice(history, engine.orders.from_fields({"left": ">"}))


@pytest.mark.parametrize("held", ["L", "R"])
def test_practice_opponent_does_not_surrender_because_of_a_held_hand(held: str) -> None:
    """If Bram holds the hand that last made W, it makes P. A stab would kill Ada. rules: W18"""
    own = {
        "damage": engine.play.RULESETS["warlocks-1"].wizard_hit_points - 1,
        "left": "F",
        "right": "W",
        "effects": {"paralysis": {"turns": 1, "caster": BRAM}},
    }
    history = history_after({"wizards": [own, {}]}, [], "warlocks-1")
    bram = engine.orders.from_fields({"left": ">", "held:w0": held})
    assert not engine.play.check(history.position, BRAM, bram)
    for seed in range(6):
        orders = play.choose_orders(history, ADA, random.Random(seed))
        assert not is_dead(history.position, {ADA: orders, BRAM: bram}), orders


@pytest.mark.parametrize("mind", ["paralysis", "charm_person"])
def test_practice_opponent_stops_the_hand_that_would_kill_it(mind: str) -> None:
    """Bram's left hand is closer to Finger of Death, but his right hand kills now. rules: W18"""
    damage = engine.play.RULESETS["warlocks-1"].wizard_hit_points - 3
    rows = [("--", pair) for pair in ("P-", "W-", "P-", "FW", "SP", "SF")]
    history = history_after({"wizards": [{"damage": damage}, {}]}, rows, "warlocks-1")
    set_effects(history.position, BRAM, {mind: {"turns": 1, "caster": ADA}})
    assert_ada_survives(history, engine.orders.from_fields({"left": "S", "right": "D"}))


def test_practice_opponent_stops_the_hand_that_always_leads_to_death() -> None:
    """No orders survive a Fireball of Bram's left hand and an Ogre, a Troll and an elemental.

    If Ada holds the left hand, it repeats D, which completes the Fireball. rules: W18, W21
    """
    rows = [("CC", "F-"), ("-W", "SP"), ("-S", "SS"), ("CC", "DD")]
    damage = engine.play.RULESETS["warlocks-1"].wizard_hit_points - 5
    history = history_after({"wizards": [{"damage": damage}, {}]}, rows, "warlocks-1")
    beasts = [{"kind": kind, "controller": BRAM} for kind in ("ogre", "troll")]
    add_monsters(history.position, [*beasts, {"kind": "fire"}])
    set_effects(history.position, BRAM, {"paralysis": {"turns": 1, "caster": ADA}})
    attacks = {"left": "F", "right": "F", "victim:m0": ADA, "victim:m1": ADA}
    assert_ada_survives(history, engine.orders.from_fields(attacks))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_doomed_practice_opponent_does_not_risk_a_surrender(ruleset: str) -> None:
    """Nothing stops Bram's Fire Storm. A palm of confused Ada might become a surrender."""
    damage = engine.play.RULESETS[ruleset].wizard_hit_points - 4
    rows = [("--", "S-"), ("--", "W-"), ("--", "W-")]
    history = history_after({"wizards": [{"damage": damage}, {}]}, rows, ruleset)
    add_mind_spell(history.position, "confusion", {"turns": 1, "caster": BRAM})
    for seed in range(6):
        assert "P" not in play.choose_orders(history, ADA, random.Random(seed)).first_set.pair
