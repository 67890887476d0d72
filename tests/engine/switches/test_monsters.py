"""Tests of fields of rulesets and of spells' rows that concern monsters."""

from typing import Any

import pytest

import engine.orders
import engine.play
from engine.positions.position import EXTRA
from engine.rulesets.choices import DefaultVictim
from engine.spellbook import Duration, VictimEffect
from tests.engine.board import ADA, BRAM, CLEO, begun, duel, made, play_turn
from tests.engine.changed_rulesets import (
    BRAMS_GOBLIN,
    HANDS_BEFORE_MIRROR,
    IN_SEALED_AND_NUMBERED_PLAY,
    IN_SEALED_AND_STEPWISE_PLAY,
    TEST_RULESET,
    event_causes,
    has_effect,
)


@pytest.mark.parametrize(("unmakes", "left"), [(True, 0), (False, 1)])
def test_ruleset_decides_if_remove_enchantment_destroys_a_monster_being_summoned(
    publish_ruleset: Any, unmakes: bool, left: int
) -> None:
    """The summoned monster attacks first in both rulesets. rules: R51"""
    ruleset = publish_ruleset(removal_unmakes_summons=unmakes)
    before = duel(begun("SF"), begun("PDW"), ruleset=ruleset)
    after, _ = play_turn(before, ada=made("W -"), bram=made("P -", left_subject=ADA))
    assert len(after.monsters) == left
    assert after.wizard(BRAM).damage == 1


@pytest.mark.parametrize("victims", [VictimEffect.LAST, VictimEffect.NOBODY])
def test_rule_for_amnesiac_monsters_does_not_affect_wizards(
    publish_ruleset: Any, victims: VictimEffect
) -> None:
    """rules: R82, R83"""
    ruleset = publish_ruleset({"amnesia": {"victims": victims}})
    forgetting, _ = play_turn(duel(begun("DP"), ruleset=ruleset), ada=made("P -"), bram=made("W S"))
    after, _ = play_turn(forgetting, bram=made("- -"))
    assert after.wizard(BRAM).letters.endswith("WSWS")


@IN_SEALED_AND_STEPWISE_PLAY
@pytest.mark.parametrize(
    ("unordered", "victim"),
    [
        (DefaultVictim.LAST_VICTIM, CLEO),
        (DefaultVictim.OPPONENT, BRAM),
        (DefaultVictim.LAST_OR_NOBODY, CLEO),
    ],
)
def test_victim_of_a_monster_without_orders_depends_on_the_ruleset(
    publish_variant: Any, play: str, unordered: DefaultVictim, victim: str
) -> None:
    """The order sheet shows the victim that the monster then attacks. rules: R161, R170"""
    goblin = {"kind": "goblin", "controller": ADA, "victim": CLEO}
    before = duel({}, {}, {}, monsters=[goblin], ruleset=publish_variant(play, unordered=unordered))
    (sheet,) = engine.play.sheet(before, ADA).monsters
    assert sheet.default == victim
    after, _ = play_turn(before)
    assert [w.id for w in after.wizards if w.damage] == [victim]
    fresh = duel({}, {}, {}, monsters=[{**goblin, "victim": ""}], ruleset=TEST_RULESET)
    (sheet,) = engine.play.sheet(fresh, ADA).monsters
    after, _ = play_turn(fresh)
    nobody = unordered is DefaultVictim.LAST_OR_NOBODY
    assert sheet.default == ("no_one" if nobody else BRAM)
    assert [w.id for w in after.wizards if w.damage] == ([] if nobody else [BRAM])


@pytest.mark.parametrize(("to_come", "faults"), [(True, []), (False, ["subject"])])
def test_ruleset_decides_if_a_spell_can_target_a_monster_being_made(
    publish_variant: Any, to_come: bool, faults: list[str]
) -> None:
    """rules: R14"""
    before = duel(begun("SF", "S"), ruleset=publish_variant("sealed", subjects_to_come=to_come))
    orders = engine.orders.from_fields(made("W D", right_subject="L:w0"))
    assert [fault.code for fault in engine.play.check(before, ADA, orders)] == faults
    options = engine.play.sheet(before, ADA, orders).subjects["missile"].options
    assert ("L:w0" in options) == to_come
    stab = engine.orders.from_fields(made("W >", right_subject="L:w0"))
    assert [fault.code for fault in engine.play.check(before, ADA, stab)] == faults


@IN_SEALED_AND_NUMBERED_PLAY
@pytest.mark.parametrize("waits", [True, False])
def test_ruleset_decides_if_illness_kills_a_monster_at_once(
    publish_variant: Any, play: str, waits: bool
) -> None:
    """A monster killed by illness attacks first. rules: W31"""
    ogre = {"kind": "ogre", "controller": BRAM, "victim": ADA}
    ruleset = publish_variant(play, illness_waits_in_monsters=waits)
    before = duel(begun("DWWFW"), monsters=[ogre], ruleset=ruleset)
    after, events = play_turn(before, ada=made("D -", left_subject="m0"))
    assert after.wizard(ADA).damage == 2
    assert ("died" in [event.code for event in events]) == (not waits)


@pytest.mark.parametrize(("corpses", "states"), [(True, ["corpse"]), (False, [])])
def test_ruleset_decides_if_a_killed_monster_leaves_a_corpse(
    publish_ruleset: Any, corpses: bool, states: list[str]
) -> None:
    """rules: R56, W1"""
    before = duel(monsters=[BRAMS_GOBLIN], ruleset=publish_ruleset(corpses=corpses))
    after, _ = play_turn(before, ada=made("> -", left_subject="m0"))
    assert [each.state for each in after.monsters] == states


@pytest.mark.parametrize("waits", [True, False])
def test_ruleset_decides_if_spells_fail_at_a_monster_being_summoned(
    publish_ruleset: Any, waits: bool
) -> None:
    """The two spells are a Counter-spell and another summons. rules: R134, W36, W38"""
    before = duel(
        begun("SF", "WP"), begun("--", "SF"), ruleset=publish_ruleset(early_spells_wait=waits)
    )
    guard = made("W P", right_subject="L:w0", right_spell="counter_spell")
    after, events = play_turn(before, ada=guard, bram=made("- W", right_subject="L:w0"))
    assert event_causes(events, "failed") == (
        ["countered"] if waits else ["too_early", "too_early"]
    )
    assert len(after.monsters) == 1


@pytest.mark.parametrize("by_kind", [True, False])
def test_ruleset_creates_monsters_by_kind_or_by_hand(publish_ruleset: Any, by_kind: bool) -> None:
    """rules: W38"""
    before = duel(begun("PSF", "SF"), ruleset=publish_ruleset(summons_by_kind=by_kind))
    after, _ = play_turn(before, ada=made("W W", left_spell="summon_ogre"))
    kinds = [each.kind for each in after.monsters]
    assert kinds == (["goblin", "ogre"] if by_kind else ["ogre", "goblin"])


@pytest.mark.parametrize("direct", [True, False])
def test_ruleset_decides_if_paralysis_reflected_by_a_monster_works(
    publish_ruleset: Any, direct: bool
) -> None:
    """rules: R43, W37"""
    ruleset = publish_ruleset(monsters_direct_reflections=direct)
    before = duel(begun("FF"), HANDS_BEFORE_MIRROR, monsters=[BRAMS_GOBLIN], ruleset=ruleset)
    mirror = made("W W", both_subject="m0", both_spell="magic_mirror")
    after, events = play_turn(before, ada=made("F -", left_subject="m0"), bram=mirror)
    assert has_effect(after, ADA, "paralysis") == direct
    assert event_causes(events, "failed") == ([] if direct else ["no_master"])


@pytest.mark.parametrize("can", [True, False])
def test_ruleset_decides_if_a_monster_can_attack_itself(publish_ruleset: Any, can: bool) -> None:
    """Both `check` and the order sheet depend on this field of the ruleset. rules: R74, W39"""
    before = duel(monsters=[BRAMS_GOBLIN], ruleset=publish_ruleset(can_attack_itself=can))
    orders = engine.orders.from_fields({"victim:m0": "m0"})
    faults = [fault.code for fault in engine.play.check(before, BRAM, orders)]
    assert faults == ([] if can else ["attacks_itself"])
    (row,) = engine.play.sheet(before, BRAM).monsters
    assert ("m0" in row.options) == can


@pytest.mark.parametrize("outlast", [True, False])
def test_ruleset_decides_if_monsters_outlast_their_master(
    publish_ruleset: Any, outlast: bool
) -> None:
    """rules: R73, W39"""
    ruleset = publish_ruleset(monsters_outlast_masters=outlast)
    before = duel({}, {}, {}, monsters=[BRAMS_GOBLIN], ruleset=ruleset)
    between, _ = play_turn(before, bram=made("P P"))
    after, _ = play_turn(between)
    assert after.monsters[0].controller == (BRAM if outlast else "")
    assert after.wizard(ADA).damage == 1 + outlast


@pytest.mark.parametrize("youngest_first", [True, False])
def test_ruleset_reports_monster_deaths_from_the_youngest_or_oldest(
    publish_ruleset: Any, youngest_first: bool
) -> None:
    """The corpses are still listed from oldest to youngest. rules: W40"""
    before = duel(
        monsters=[BRAMS_GOBLIN, BRAMS_GOBLIN],
        ruleset=publish_ruleset(youngest_die_first=youngest_first),
    )
    stabs = [made("> -", left_subject=id) for id in ("m0", "m1")]
    after, events = play_turn(before, ada=stabs[0], bram=stabs[1])
    died = [event.subject for event in events if isinstance(event, engine.events.Died)]
    assert died == (["m1", "m0"] if youngest_first else ["m0", "m1"])
    assert [each.id for each in after.monsters] == ["m0", "m1"]


@pytest.mark.parametrize(("at_once", "damages"), [(True, [0, 1]), (False, [1, 1])])
def test_ruleset_decides_if_paralysis_stops_a_monster_at_once_or_a_turn_later(
    publish_ruleset: Any, at_once: bool, damages: list[int]
) -> None:
    """rules: R79, W15"""
    ruleset = publish_ruleset(minds_strike_monsters_at_once=at_once)
    position = duel(begun("FF"), monsters=[BRAMS_GOBLIN], ruleset=ruleset)
    found: list[int] = []
    for orders in (made("F -", left_subject="m0"), made("- -")):
        position, _ = play_turn(position, ada=orders)
        found.append(position.wizard(ADA).damage)
    assert found == damages


@pytest.mark.parametrize(
    ("time_stop", "stopped", "damages"),
    [
        (Duration.INSTANT, (ADA, "m0"), [0, 1, 2]),  # it attacks in the extra turn
        (Duration.INSTANT, (ADA,), [0, 0, 1]),
        (Duration.THREE_TURNS, (ADA,), [0, 0, 1]),  # the extra action is part of the turn after it
    ],
)
def test_paralysis_at_once_in_an_extra_turn_stops_the_next_attack(
    publish_ruleset: Any, time_stop: Duration, stopped: tuple[str, ...], damages: list[int]
) -> None:
    """rules: R169, W15"""
    rows = {"time_stop": {"lasts": time_stop}}
    ruleset = publish_ruleset(rows, minds_strike_monsters_at_once=True)
    position = duel(begun("FF"), monsters=[BRAMS_GOBLIN], ruleset=ruleset).copy()
    position.kind, position.stopped = EXTRA, stopped
    found: list[int] = []
    for orders in (made("F -", left_subject="m0"), made("- -"), made("- -")):
        position, _ = play_turn(position, ada=orders)
        found.append(position.wizard(ADA).damage)
    assert found == damages


@pytest.mark.parametrize(
    ("unordered", "damage"), [(DefaultVictim.KEPT, 0), (DefaultVictim.LAST_VICTIM, 1)]
)
def test_ruleset_decides_if_an_order_to_attack_no_one_lasts(
    publish_ruleset: Any, unordered: DefaultVictim, damage: int
) -> None:
    """The order sheet shows the victim of the next turn. rules: R170, W39"""
    before = duel(monsters=[BRAMS_GOBLIN], ruleset=publish_ruleset(unordered=unordered))
    between, _ = play_turn(before, bram={"victim:m0": "no_one"})
    (row,) = engine.play.sheet(between, BRAM).monsters
    assert (row.default == "no_one") == (damage == 0)
    after, _ = play_turn(between)
    assert after.wizard(ADA).damage == damage
