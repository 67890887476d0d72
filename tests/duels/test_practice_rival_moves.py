"""The practice opponent expects its rivals' counter-spells, reflections and joint attacks."""

import random

import pytest

import engine.orders
import engine.play
from duels.practice import play
from engine.positions.position import SACRIFICE
from tests.duels.practice_positions import (
    ADA,
    BRAM,
    COMPULSORY_BANK_RULESETS,
    RULESETS,
    TWO_SETS_RULESETS,
    add_monsters,
    assert_ada_survives,
    history_after,
    is_dead,
    set_effects,
)

pytestmark = pytest.mark.long


@pytest.mark.parametrize("ruleset", TWO_SETS_RULESETS)
def test_practice_opponent_expects_a_hasted_rival_to_reflect_its_spell(ruleset: str) -> None:
    """Ada's own Fireball kills her if hasted Bram completes a Magic Mirror in one turn."""
    damage = engine.play.RULESETS[ruleset].wizard_hit_points - 5
    bram = {"damage": damage, "effects": {"haste": {"turns": 9}}}
    rows = [("F-", "--"), ("S-", "--"), ("S-", "--"), ("D-", "--")]
    history = history_after({"wizards": [{"damage": damage}, bram]}, rows, ruleset)
    mirror = engine.orders.from_fields({"left": "C", "right": "C", "left2": "W", "right2": "W"})
    for seed in range(6):
        orders = play.choose_orders(history, ADA, random.Random(seed))
        assert not is_dead(history.position, {ADA: orders, BRAM: mirror}), orders


@pytest.mark.parametrize("ruleset", TWO_SETS_RULESETS)
def test_practice_opponent_expects_the_stab_of_a_hasted_rival(ruleset: str) -> None:
    """Bram can also complete many spells that only undo the spells of Ada, who has two rivals."""
    damage = engine.play.RULESETS[ruleset].wizard_hit_points - 1
    rows = [("S-", "-S", "--"), ("SD", "-W", "--"), ("FF", "SW", "--")]
    history = history_after({"wizards": [{"damage": damage}, {}, {}]}, rows, ruleset)
    set_effects(history.position, BRAM, {"haste": {"turns": 3}})
    assert_ada_survives(history, engine.orders.from_fields({"left": ">", "left_subject": ADA}))


def test_practice_opponent_expects_a_rival_to_sacrifice_a_monster() -> None:
    """A Shield stops the attack of Bram's Giant, but not his Sacrifice of the Giant. rules: R24"""
    damage = engine.play.RULESETS["wizards-1"].wizard_hit_points - 4
    rows = [("--", "D-"), ("--", "W-"), ("W-", "F-"), ("P-", "F-")]
    setup: dict[str, object] = {"wizards": [{"damage": damage}, {}]}
    history = history_after(setup, rows, "wizards-1", [SACRIFICE])
    add_monsters(history.position, [{"kind": "giant", "controller": BRAM}])
    deadly = {"left": "D", "right": "D", "sacrifice": "m0", "victim:m0": ADA}
    assert_ada_survives(history, engine.orders.from_fields(deadly))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_practice_opponent_expects_a_rival_to_guard_another_rival(ruleset: str) -> None:
    """Ada's Lightning Bolt would kill Cleo, but Bram's mirror on Cleo would turn it back."""
    damage = engine.play.RULESETS[ruleset].wizard_hit_points - 5
    wizards = [{"damage": damage}, {}, {"damage": damage}]
    rows = [("D-", "--", "--"), ("F-", "--", "--"), ("F-", "--", "--"), ("D-", "CC", "--")]
    history = history_after({"wizards": wizards}, rows, ruleset)
    mirror = {"left": "W", "right": "W", "both_subject": "w2"}
    assert_ada_survives(history, engine.orders.from_fields(mirror))


@pytest.mark.parametrize("ruleset", COMPULSORY_BANK_RULESETS)
def test_practice_opponent_does_not_rely_on_a_rivals_help(ruleset: str) -> None:
    """Bram's Giant kills Ada if he banks her Counter-spell, and Cleo does not counter this."""
    damage = engine.play.RULESETS[ruleset].wizard_hit_points - 1
    rows = [
        ("--", "D-", "--"), ("--", "W-", "--"), ("-S", "S-", "-W"), ("-W", "SW", "WD"),
        ("-W", "SP", "WD"),
    ]  # fmt: skip
    history = history_after({"wizards": [{"damage": damage}, {}, {}]}, rows, ruleset)
    add_monsters(history.position, [{"kind": "giant", "controller": BRAM}])
    delayed = {"left": "P", "left_spell": "delayed_effect", "left_subject": ADA, "victim:m0": ADA}
    assert_ada_survives(history, engine.orders.from_fields(delayed))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_practice_opponent_expects_a_rival_to_guard_its_monster(ruleset: str) -> None:
    """Bram's Giant kills Ada if she relies on a Charm Monster, which Bram can counter."""
    damage = engine.play.RULESETS[ruleset].wizard_hit_points - 5
    rows = [("D-", "C-"), ("FP", "S-"), ("FS", "W-"), ("DD", "W-")]
    history = history_after({"wizards": [{"damage": damage}, {}]}, rows, ruleset)
    add_monsters(history.position, [{"kind": "giant", "controller": BRAM}])
    deadly = engine.orders.from_fields(
        {
            "left": "S", "left_spell": "counter_spell", "left_subject": "m0",
            "right": ">", "right_subject": ADA, "victim:m0": ADA,
        }
    )  # fmt: skip
    assert_ada_survives(history, deadly)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_practice_opponent_counters_a_spell_that_hastens_a_monster(ruleset: str) -> None:
    """Ada's Shield does not last until the extra attack of Bram's Giant. rules: R98, W12

    Her hands must complete Counter-spell and Shield instead of stronger spells.
    """
    damage = engine.play.RULESETS[ruleset].wizard_hit_points - 1
    rows = [("--", "--"), ("--", "S-"), ("WW", "P-"), ("WF", "P-")]
    history = history_after({"wizards": [{"damage": damage}, {}]}, rows, ruleset)
    add_monsters(history.position, [{"kind": "giant", "controller": BRAM}])
    deadly = {"left": "C", "right": "C", "both_subject": "m0", "victim:m0": ADA}
    assert_ada_survives(history, engine.orders.from_fields(deadly))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_practice_opponent_expects_a_rival_to_guard_an_elemental(ruleset: str) -> None:
    """Ada's banked Fireball kills her if Bram's mirror guards the ice elemental."""
    damage = engine.play.RULESETS[ruleset].wizard_hit_points - 2
    cold = {"resist_cold": {"turns": 2}}
    ada = {"damage": damage, "bank": "fireball", "effects": cold}
    history = history_after({"wizards": [ada, {"effects": cold}]}, [("--", "CC")], ruleset)
    history.position.wizard(ADA).bank_subject = "m0"
    ice = {"kind": "ice"}
    others = [{"kind": "giant", "controller": BRAM}, {"kind": "ogre", "controller": ADA}]
    add_monsters(history.position, [ice, *others])
    mirror = {"left": "W", "right": "W", "both_subject": "m0", "victim:m1": ADA}
    assert_ada_survives(history, engine.orders.from_fields(mirror))


@pytest.mark.parametrize("ruleset", TWO_SETS_RULESETS)
def test_practice_opponent_expects_a_hasted_monster_to_attack_twice(ruleset: str) -> None:
    """Both attacks of an Ogre kill Ada if she completes a Fire Storm instead of a Shield."""
    damage = engine.play.RULESETS[ruleset].wizard_hit_points - 4
    ada = {"damage": damage, "effects": {"resist_heat": {"turns": 9}}}
    ogre = {"kind": "ogre", "controller": BRAM, "effects": {"haste": {"turns": 9}}}
    rows = [("S-", "--"), ("W-", "--"), ("W-", "--")]
    history = history_after({"wizards": [ada, {}]}, rows, ruleset)
    add_monsters(history.position, [ogre])
    bram = engine.orders.Orders(victims={"m0": (ADA, ADA)})
    for seed in range(6):
        orders = play.choose_orders(history, ADA, random.Random(seed))
        assert not is_dead(history.position, {ADA: orders, BRAM: bram}), orders


def test_practice_opponent_defends_against_all_enemies_at_once() -> None:
    """The attacks of two goblins, one point of damage each, kill only together."""
    goblins = [{"kind": "goblin", "controller": wizard} for wizard in ("w1", "w2")]
    position = engine.play.begin(
        "bartle-1",
        [engine.play.Duellist()] * 3,
        setup={"wizards": [{"damage": 13}], "monsters": goblins},
    )
    attacks = {
        f"w{n + 1}": engine.orders.Orders(victims={f"m{n}": (ADA,)}) for n in range(len(goblins))
    }
    for seed in range(6):
        orders = play.choose_orders(engine.play.History((), position), ADA, random.Random(seed))
        assert not is_dead(position, {ADA: orders, **attacks})
