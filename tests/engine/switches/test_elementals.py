"""Tests of fields of rulesets and of spells' rows that concern elementals."""

from collections.abc import Sequence
from typing import Any

import pytest

import engine.orders
import engine.play
from engine.spellbook import AffectedBeings
from tests.engine.board import ADA, BRAM, Row, begun, duel, event_codes, made, play_turn
from tests.engine.changed_rulesets import (
    IN_SEALED_AND_STEPWISE_PLAY,
    event_causes,
    find_monster,
)


@pytest.mark.parametrize(("subject_picks", "decider"), [(True, BRAM), (False, ADA)])
def test_ruleset_decides_who_chooses_the_element(
    publish_ruleset: Any, subject_picks: bool, decider: str
) -> None:
    """rules: R63"""
    ruleset = publish_ruleset(subject_picks_element=subject_picks)
    before = duel(begun("CSWW", "C---"), ruleset=ruleset)
    orders = {
        ADA: engine.orders.from_fields(
            made("S -", left_subject=BRAM, left_spell="summon_elemental")
        )
    }
    (question,) = engine.play.questions(before, orders, {}, engine.play.NoDice())
    assert question.wizard == decider


@pytest.mark.parametrize(("subject_picks", "offered"), [(True, {ADA, BRAM}), (False, {ADA})])
def test_ruleset_decides_who_can_name_the_element_in_advance(
    publish_ruleset: Any, subject_picks: bool, offered: set[str]
) -> None:
    """rules: R63, R9"""
    before = duel(
        begun("CSWW", "C---"), ruleset=publish_ruleset(subject_picks_element=subject_picks)
    )
    kinds = {id: {row.kind for row in engine.play.sheet(before, id).advance} for id in (ADA, BRAM)}
    assert {id for id, found in kinds.items() if "elemental" in found} == offered


def test_order_sheet_does_not_ask_for_an_element_fixed_by_the_spell() -> None:
    before = duel(begun("CSWW", "C---"), ruleset="wizards-1")
    for id in (ADA, BRAM):
        assert "elemental" not in {row.kind for row in engine.play.sheet(before, id).advance}


@pytest.mark.parametrize(
    ("merge", "damage", "told"), [(True, 0, ["merged"]), (False, 2, ["destroyed"])]
)
def test_ruleset_decides_whether_equal_elementals_merge(
    publish_ruleset: Any, merge: bool, damage: int, told: Sequence[str]
) -> None:
    """rules: R65"""
    hurt = {"kind": "fire", "controller": ADA, "damage": 2}
    before = duel(
        begun("CSWW", "C---"), monsters=[hurt], ruleset=publish_ruleset(elementals_merge=merge)
    )
    orders = made("S -", left_spell="summon_elemental", **{"answer:elemental": "fire"})
    after, events = play_turn(before, ada=orders)
    (kept,) = after.monsters
    assert (kept.id, kept.damage) == ("m0", damage)
    assert event_codes(events, "merged", "destroyed") == told
    assert after.wizard(ADA).damage == after.wizard(BRAM).damage == 3


@pytest.mark.parametrize("spell", ["remove_enchantment", "blindness", "invisibility"])
@pytest.mark.parametrize(
    ("works", "stays"), [(AffectedBeings.ALL, False), (AffectedBeings.EARTHLY, True)]
)
def test_ruleset_decides_whether_spells_for_monsters_affect_elementals(
    publish_ruleset: Any, spell: str, works: AffectedBeings, stays: bool
) -> None:
    """rules: R70"""
    ruleset = publish_ruleset({spell: {"works": works}})
    row = {"bank": spell}
    before = duel(row, monsters=[{"kind": "ice", "controller": BRAM}], ruleset=ruleset)
    after, events = play_turn(before, ada={"release": "yes", "release_subject": "m0"})
    assert (find_monster(after, "m0") is not None) == stays
    assert ("unsuitable" in event_causes(events, "failed")) == stays


def test_remove_enchantment_without_effect_on_elementals_leaves_haste_alone(
    publish_ruleset: Any,
) -> None:
    """An elemental keeps Haste cast in the same turn. rules: R70"""
    ruleset = publish_ruleset({"remove_enchantment": {"works": AffectedBeings.EARTHLY}})
    haste = begun("PWPWW", "----W")
    before = duel(
        {"bank": "remove_enchantment", **haste}, monsters=[{"kind": "ice"}], ruleset=ruleset
    )
    flat = made("C C", both_subject="m0", release="yes", release_subject="m0")
    after, _ = play_turn(before, ada=flat)
    kept = find_monster(after, "m0")
    assert kept is not None
    assert "haste" in kept.effects


@IN_SEALED_AND_STEPWISE_PLAY
@pytest.mark.parametrize(
    ("merges", "damage", "code"), [(True, 0, "merged"), (False, 2, "destroyed")]
)
def test_ruleset_decides_if_equal_elementals_merge_in_each_order_of_play(
    publish_variant: Any, play: str, merges: bool, damage: int, code: str
) -> None:
    """rules: R65"""
    fires: list[Row] = [{"kind": "fire", "damage": 2}, {"kind": "fire"}]
    before = duel(monsters=fires, ruleset=publish_variant(play, elementals_merge=merges))
    after, events = play_turn(before, ada=made("P -"))
    (kept,) = after.monsters
    told = event_codes(events, "merged", "destroyed")
    assert (kept.id, kept.damage) == ("m0", damage)
    assert told == [code]


@pytest.mark.parametrize(("newer", "kept"), [(True, "m1"), (False, "m0")])
def test_ruleset_decides_if_the_older_or_newer_elemental_stays(
    publish_ruleset: Any, newer: bool, kept: str
) -> None:
    """rules: R65, W43"""
    fires: list[Row] = [{"kind": "fire", "damage": 2}, {"kind": "fire"}]
    ruleset = publish_ruleset(elementals_merge=False, newer_elemental_stays=newer)
    after, _ = play_turn(duel(monsters=fires, ruleset=ruleset), ada=made("P -"))
    assert [each.id for each in after.monsters] == [kept]


@pytest.mark.parametrize("immune", [True, False])
def test_ruleset_decides_if_a_fireball_destroys_a_fire_elemental(
    publish_ruleset: Any, immune: bool
) -> None:
    """rules: R68, W43"""
    before = duel(
        begun("FSSD"),
        monsters=[{"kind": "fire"}],
        ruleset=publish_ruleset(elementals_immune=immune),
    )
    after, _ = play_turn(before, ada=made("D -", left_subject="m0"))
    assert (find_monster(after, "m0") is not None) == immune


@pytest.mark.parametrize(("storms_first", "damage"), [(True, 3), (False, 0)])
def test_ruleset_decides_if_two_storms_cancel_before_they_meet_an_elemental(
    publish_ruleset: Any, storms_first: bool, damage: int
) -> None:
    """rules: R66, W44"""
    ruleset = publish_ruleset(storms_meet_first=storms_first)
    storms = begun("SWW", "---"), begun("WSS", "---")
    before = duel(*storms, monsters=[{"kind": "fire"}], ruleset=ruleset)
    after, _ = play_turn(before, ada=made("C C"), bram=made("C C"))
    assert [each.damage for each in after.wizards] == [damage, damage]
