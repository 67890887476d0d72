"""The practice opponent defends itself when spells are banked or released."""

import random

import pytest

import engine.orders
import engine.play
from duels.practice import play
from engine.positions.position import STANDING
from tests.duels.practice_orders import legal_orders
from tests.duels.practice_positions import (
    ADA,
    BRAM,
    COMPULSORY_BANK_RULESETS,
    DICE,
    TWO_SETS_RULESETS,
    add_monsters,
    assert_ada_survives,
    history_after,
    is_dead,
    set_effects,
)

pytestmark = pytest.mark.long


@pytest.mark.parametrize("ruleset", COMPULSORY_BANK_RULESETS)
def test_practice_opponent_expects_a_rival_to_bank_the_harmless_spell(ruleset: str) -> None:
    """Bram completes Cause Light Wounds and a goblin, and must bank one of them. rules: R103"""
    bram = {"effects": {"delayed_effect": {"turns": 4}}}
    history = history_after(
        {"wizards": [{"damage": 13}, bram]}, [("W-", "WS"), ("W-", "FF")], ruleset
    )
    deadly = engine.orders.from_fields({"left": "P", "right": "W", "bank": "R"})
    assert_ada_survives(history, deadly)


@pytest.mark.parametrize("ruleset", COMPULSORY_BANK_RULESETS)
def test_practice_opponent_expects_a_rival_to_bank_a_shield(ruleset: str) -> None:
    """Bram can bank a Shield to kill Ada with a Lightning Bolt. rules: R103"""
    damage = engine.play.RULESETS[ruleset].wizard_hit_points - 5
    bram = {"effects": {"delayed_effect": {"turns": 5}}}
    ada = {"damage": damage, "effects": {"resist_heat": {"turns": 9}}}
    rows = [("--", "D-"), ("S-", "F-"), ("W-", "F-"), ("W-", "D-")]
    history = history_after({"wizards": [ada, bram]}, rows, ruleset)
    deadly = engine.orders.from_fields({"left": "D", "right": "P", "bank": "R"})
    assert_ada_survives(history, deadly)


@pytest.mark.parametrize("ruleset", COMPULSORY_BANK_RULESETS)
def test_practice_opponent_expects_a_delayed_effect_on_itself(ruleset: str) -> None:
    """A stab kills Ada unless she completes a spell to bank with her Shield. rules: R103"""
    damage = engine.play.RULESETS[ruleset].wizard_hit_points - 1
    rows = [("--", "D-"), ("--", "W-"), ("--", "S-"), ("F-", "S-"), ("F-", "S-")]
    history = history_after({"wizards": [{"damage": damage}, {}]}, rows, ruleset)
    deadly = engine.orders.from_fields(
        {
            "left": "P", "left_spell": "delayed_effect", "left_subject": ADA,
            "right": ">", "right_subject": ADA,
        }
    )  # fmt: skip
    assert_ada_survives(history, deadly)


@pytest.mark.parametrize("ruleset", COMPULSORY_BANK_RULESETS)
def test_practice_opponent_delays_a_rivals_deadly_spell(ruleset: str) -> None:
    """Ada survives Bram's Ice Storm only if her Delayed Effect banks it. rules: R103"""
    damage = engine.play.RULESETS[ruleset].wizard_hit_points - 4
    rows = [("D-", "--"), ("W-", "--"), ("S-", "W-"), ("S-", "S-"), ("S-", "S-")]
    history = history_after({"wizards": [{"damage": damage}, {}]}, rows, ruleset)
    storm = engine.orders.from_fields({"left": "C", "right": "C"})
    assert_ada_survives(history, storm)


@pytest.mark.parametrize(
    "ruleset", [id for id in TWO_SETS_RULESETS if id in COMPULSORY_BANK_RULESETS]
)
def test_hasted_practice_opponent_delays_a_deadly_spell_and_then_guards_itself(
    ruleset: str,
) -> None:
    """Ada's first set must bank Bram's Fire Storm, and her second stop an elemental. rules: R103"""
    damage = engine.play.RULESETS[ruleset].wizard_hit_points - 1
    rows = [("-D", "--"), ("-W", "--"), ("DS", "S-"), ("FS", "W-"), ("PS", "W-")]
    history = history_after({"wizards": [{"damage": damage}, {}]}, rows, ruleset)
    add_monsters(history.position, [{"kind": "fire"}])
    set_effects(history.position, ADA, {"haste": {"turns": 3}})
    assert_ada_survives(history, engine.orders.from_fields({"left": "C", "right": "C"}))


@pytest.mark.parametrize("ruleset", COMPULSORY_BANK_RULESETS)
def test_practice_opponent_banks_the_spell_that_it_can_spare(ruleset: str) -> None:
    """Ada survives only if she completes Counter-spell and banks another spell. rules: R103"""
    ada = {"damage": 10, "effects": {"delayed_effect": {"turns": 5}}}
    rows = [("--", "W-"), ("W-", "D-"), ("W-", "D-")]
    history = history_after({"wizards": [ada, {}]}, rows, ruleset)
    deadly = engine.orders.from_fields({"left": "C", "right": "C"})
    assert_ada_survives(history, deadly)


@pytest.mark.parametrize("ruleset", COMPULSORY_BANK_RULESETS)
def test_practice_opponent_does_not_bank_the_only_spell_that_saves_it(ruleset: str) -> None:
    """Ada completes Counter-spell and another Delayed Effect, and marks neither. rules: R103"""
    damage = engine.play.RULESETS[ruleset].wizard_hit_points - 4
    rows = [("-D", "--"), ("-W", "--"), ("-S", "W-"), ("WS", "S-"), ("WS", "S-")]
    history = history_after({"wizards": [{"damage": damage}, {}]}, rows, ruleset)
    set_effects(history.position, ADA, {"delayed_effect": {"turns": 5}})
    assert_ada_survives(history, engine.orders.from_fields({"left": "C", "right": "C"}))


def test_practice_opponent_does_not_release_a_banked_spell_that_would_kill_it() -> None:
    """In warlocks, a banked spell keeps the subject that it was banked with. rules: W34"""
    own = {"bank": "finger_of_death", "bank_subject": ADA}
    history = history_after({"wizards": [own, {"damage": 11}]}, [], "warlocks-1")
    for seed in range(6):
        assert not play.choose_orders(history, ADA, random.Random(seed)).release


def test_practice_opponent_may_have_a_banked_attack_against_several_rivals() -> None:
    """In warlocks, a spell that may have one of several enemies as its subject has no default."""
    ada = {"bank": "missile", "bank_subject": "w2"}
    setup = {"wizards": [ada, {}, {"damage": 14}]}
    position = engine.play.begin("warlocks-1", [engine.play.Duellist()] * 3, setup=setup)
    for seed in range(4):
        orders = play.choose_orders(engine.play.History((), position), ADA, random.Random(seed))
        after, _ = engine.play.resolve(position, {ADA: orders}, {}, DICE)
        assert after.wizard("w2").standing != STANDING, "Ada releases the Missile that kills"


def test_practice_opponent_combines_new_gestures_with_a_banked_spell_to_survive() -> None:
    """A mirror turns back the Lightning Bolt, and the banked Shield stops the monsters."""
    ada = {"damage": 14, "bank": "shield", "effects": {"resist_heat": {"turns": 5}}}
    monsters = [{"kind": kind, "controller": BRAM} for kind in ("ice", "ogre")]
    rows = [("--", "D-"), ("--", "F-"), ("--", "F-"), ("CC", "D-")]
    history = history_after({"wizards": [ada, {}]}, rows, "archmage-1")
    add_monsters(history.position, monsters)
    for seed in range(4):
        orders = play.choose_orders(history, ADA, random.Random(seed))
        for move in legal_orders(history.position, BRAM, ADA):
            assert not is_dead(history.position, {ADA: orders, BRAM: move}), (orders, move)
