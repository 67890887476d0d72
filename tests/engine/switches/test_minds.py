"""Tests of fields of rulesets and of spells' rows that concern mind spells."""

from collections.abc import Mapping
from typing import Any

import pytest

import engine.orders
import engine.play
from engine.rulesets.choices import HandNamingTime
from tests.engine.board import ADA, BRAM, begun, duel, made, play_turn, under_effects
from tests.engine.changed_rulesets import (
    IN_EVERY_PLAY,
    IN_SEALED_AND_NUMBERED_PLAY,
    IN_SEALED_AND_STEPWISE_PLAY,
    TEST_RULESET,
    event_causes,
    has_effect,
)


@pytest.mark.parametrize(("cancel", "bound"), [(False, True), (True, False)])
def test_ruleset_decides_if_a_mind_spell_in_force_blocks_another(
    publish_ruleset: Any, cancel: bool, bound: bool
) -> None:
    """rules: R78"""
    ruleset = publish_ruleset(minds_in_force_cancel=cancel)
    before = duel(begun("DS"), under_effects(fear={"turns": 1}), ruleset=ruleset)
    after, events = play_turn(before, ada=made("F -"))
    assert ("confusion" in after.wizard(BRAM).effects) == bound
    assert ("mind_in_force" in event_causes(events, "failed")) != bound


@pytest.mark.parametrize("cancel", [False, True])
def test_the_same_mind_spell_can_be_cast_while_in_force(publish_ruleset: Any, cancel: bool) -> None:
    """rules: R78"""
    ruleset = publish_ruleset(minds_in_force_cancel=cancel)
    before = duel(begun("SW"), under_effects(fear={"turns": 1}), ruleset=ruleset)
    after, _ = play_turn(before, ada=made("D -"))
    assert after.wizard(BRAM).effects["fear"].is_active(after.turn)


@pytest.mark.parametrize("cancel", [False, True])
def test_a_permanent_mind_spell_does_not_block_others(publish_ruleset: Any, cancel: bool) -> None:
    """rules: R78, R79"""
    ruleset = publish_ruleset(minds_in_force_cancel=cancel)
    before = duel(begun("DS"), under_effects(fear={"permanent": True}), ruleset=ruleset)
    after, _ = play_turn(before, ada=made("F -"))
    assert "confusion" in after.wizard(BRAM).effects


@IN_SEALED_AND_NUMBERED_PLAY
@pytest.mark.parametrize(
    ("repeats", "drawn"), [(True, [("L", "D"), ("L", "D")]), (False, [("L", "D"), ("R", "F")])]
)
def test_ruleset_decides_if_permanent_confusion_repeats_its_first_dice(
    publish_variant: Any, play: str, repeats: bool, drawn: list[tuple[str, str]]
) -> None:
    """rules: R173, W26"""
    confused = under_effects(confusion={"permanent": True})
    position = duel({}, confused, ruleset=publish_variant(play, lasting_minds_repeat=repeats))
    dice = engine.play.RecordedDice(sequence=[0, 1, 5, 2])
    found: list[tuple[str, str]] = []
    for _ in range(2):
        position, events = play_turn(position, dice=dice)
        found += [(e.hand, e.letter) for e in events if isinstance(e, engine.events.Overridden)]
    assert found == drawn


@IN_EVERY_PLAY
@pytest.mark.parametrize(
    ("table", "letter"), [({"C": "F"}, "C"), ({"F": "C"}, "F"), ({"C": "F", "W": "D"}, "W")]
)
def test_paralysed_hand_changes_gestures_by_the_rulesets_table(
    publish_variant: Any, play: str, table: Mapping[str, str], letter: str
) -> None:
    """Gestures that the table lacks stay the same. rules: R80"""
    before = duel(begun("FF"), begun(letter), ruleset=publish_variant(play, paralysed=table))
    answer = {} if play == "numbered" else {"answer:paralysis": "L"}
    flat = made("F -", **answer)
    between, _ = play_turn(before, ada=flat, bram=made(f"{letter} -"))
    after, _ = play_turn(between)
    assert after.wizard(BRAM).left[-2:] == letter + table[letter]
    again, _ = play_turn(duel(begun("FF"), ruleset=TEST_RULESET), ada=flat, bram=made("P -"))
    after, _ = play_turn(again)
    assert after.wizard(BRAM).left[-2:] == "PP"


@IN_SEALED_AND_STEPWISE_PLAY
@pytest.mark.parametrize(("letters", "allowed"), [("PW>-", False), ("PWF>-", True)])
def test_fear_forbids_gestures_missing_from_the_rulesets_table(
    publish_variant: Any, play: str, letters: str, allowed: bool
) -> None:
    """The order sheet, its explanation and `check` all agree. rules: R87"""
    before = duel(
        {}, under_effects(fear={"turns": 1}), ruleset=publish_variant(play, under_fear=letters)
    )
    orders = engine.orders.from_fields(made("F -"))
    assert [fault.code for fault in engine.play.check(before, BRAM, orders)] == (
        [] if allowed else ["feared_letter"]
    )
    hand = engine.play.sheet(before, BRAM).sets[0].left
    assert ("F" in [option.letter for option in hand.gestures if option.allowed]) == allowed
    assert hand.reason.startswith(
        "You are afraid: only P, W, F" if allowed else "You are afraid: only P, W, a"
    )


@IN_EVERY_PLAY
@pytest.mark.parametrize("letters", ["CDFPSW", "FFD", "PW"])
def test_confusion_die_has_one_side_for_each_gesture_in_the_table(
    publish_variant: Any, play: str, letters: str
) -> None:
    """rules: spell:confusion"""
    before = duel(
        {}, under_effects(confusion={"turns": 1}), ruleset=publish_variant(play, confused=letters)
    )
    last = len(letters) - 1
    dice = engine.play.RecordedDice(sequence=[0, last])
    after, events = play_turn(before, bram=made("- -"), dice=dice)
    (drew,) = [e for e in events if isinstance(e, engine.events.Drew) and e.purpose == "gesture"]
    assert (drew.sides, after.wizard(BRAM).left) == (len(letters), letters[last])


@pytest.mark.parametrize("cancel", [True, False])
def test_ruleset_decides_if_two_equal_mind_spells_cancel(
    publish_ruleset: Any, cancel: bool
) -> None:
    """rules: R76, W14"""
    before = duel(begun("FF", "FF"), ruleset=publish_ruleset(same_minds_cancel=cancel))
    after, _ = play_turn(before, ada=made("F F"))
    assert has_effect(after, BRAM, "paralysis") == (not cancel)


@pytest.mark.parametrize(
    ("refuses", "faults", "row"), [(True, ["feared_letter"], ""), (False, [], "-W")]
)
def test_ruleset_rejects_or_blanks_a_gesture_forbidden_by_fear(
    publish_ruleset: Any, refuses: bool, faults: list[str], row: str
) -> None:
    """rules: R87, W24"""
    before = duel(
        {}, under_effects(fear={"turns": 1}), ruleset=publish_ruleset(fear_refuses=refuses)
    )
    orders = made("F W")
    found = engine.play.check(before, BRAM, engine.orders.from_fields(orders))
    assert [fault.code for fault in found] == faults
    if not faults:
        after, _ = play_turn(before, bram=orders)
        assert after.wizard(BRAM).left + after.wizard(BRAM).right == row


@pytest.mark.parametrize(("blanks", "forced"), [(True, "--"), (False, "WD")])
def test_ruleset_decides_if_amnesia_repeats_an_anti_spelled_turn(
    publish_ruleset: Any, blanks: bool, forced: str
) -> None:
    """rules: R93, W25"""
    before = duel(begun("DP", "SP"), ruleset=publish_ruleset(anti_spell_blanks=blanks))
    after, _ = play_turn(before, ada=made("P F"), bram=made("W D"))
    hands = engine.play.sheet(after, BRAM).sets[0]
    assert hands.left.forced + hands.right.forced == forced


@pytest.mark.parametrize("named", HandNamingTime)
def test_ruleset_decides_when_the_paralysed_hand_is_named(
    publish_ruleset: Any, named: HandNamingTime
) -> None:
    """The caster names the hand in the turn of casting, or in the orders for the next turn.

    rules: R81, W18
    """
    ruleset = publish_ruleset(hand_named=named)
    later = named is HandNamingTime.WHEN_IT_ACTS
    before = duel(begun("FF"), begun("S", "S"), ruleset=ruleset)
    between, _ = play_turn(before, ada=made("F -"), bram=made("C C"), answers={})
    assert between.wizard(BRAM).effects["paralysis"].hand == ("" if later else "L")
    held = engine.orders.from_fields({"held:w1": "R"})
    assert [fault.code for fault in engine.play.check(between, ADA, held)] == (
        [] if later else ["named_later"]
    )
    after, _ = play_turn(between, ada={"held:w1": "R"} if later else {}, bram=made("- W"))
    made_last = after.wizard(BRAM).left[-1] + after.wizard(BRAM).right[-1]
    assert made_last == ("-F" if later else "FW")


@pytest.mark.parametrize("stops", [True, False])
def test_ruleset_decides_if_a_wizard_can_stop_their_own_heart(
    publish_ruleset: Any, stops: bool
) -> None:
    """rules: W27"""
    before = duel(
        under_effects(fear={"permanent": True}), ruleset=publish_ruleset(hearts_stop=stops)
    )
    orders = engine.orders.from_fields({"heart": "yes"})
    assert bool(engine.play.check(before, ADA, orders)) == (not stops)
    assert engine.play.sheet(before, ADA).may_stop_heart == stops
    if stops:
        after, events = play_turn(before, ada={"heart": "yes"})
        assert after.outcome == BRAM
        assert [e.cause for e in events if isinstance(e, engine.events.Died)] == ["heart"]
