"""Tests of cautions in second sets, haste phases and extra turns."""

import pytest

import engine
import engine.orders
import engine.play
from engine.positions.position import EXTRA, HASTE
from tests.engine.board import (
    ADA,
    ALL_RULESETS,
    BRAM,
    NUMBERED_RULESETS,
    SEALED_RULESETS,
    STEPWISE_RULESETS,
    begun,
    duel,
    made,
    play_turn,
    under_effects,
)
from tests.engine.caution_rows.cases import THREE_TURNS, adas, caution_codes, orders


@pytest.mark.parametrize("ruleset", SEALED_RULESETS)
def test_cautions_cover_both_sets_of_a_hasted_wizard(ruleset: str) -> None:
    """The spell is completed in the second set, and one shield is enough for the turn.

    rules: R97
    """
    position = duel(under_effects(haste=THREE_TURNS), ruleset=ruleset)
    written = engine.orders.from_fields(
        {"left": "S", "right": "P", "left2": "D", "right2": "P", "left_subject2": ADA}
    )
    found = engine.play.cautions(position, ADA, written)
    assert [(caution.code, caution.field) for caution in found] == [
        ("shielded", "left_subject2"),
        ("twice_the_same", "right_subject2"),
    ]
    palms = engine.orders.from_fields({"left": "S", "right": "P", "left2": "P", "right2": "P"})
    assert ("surrender", "left2") in [
        (caution.code, caution.field) for caution in engine.play.cautions(position, ADA, palms)
    ]


@pytest.mark.parametrize("ruleset", STEPWISE_RULESETS)
def test_cautions_in_a_haste_phase_consider_the_turn_after_it(ruleset: str) -> None:
    """Spells of the haste phase take effect together with those of the turn. rules: R97"""
    position = duel(begun("S", effects={"haste": THREE_TURNS}), ruleset=ruleset).copy()
    position.kind = HASTE
    assert caution_codes(position, "D -", left_subject=ADA) == ["harms_you"]
    assert caution_codes(position, "D -") == []
    assert caution_codes(position, "D P", left_subject=ADA) == ["shielded"]


@pytest.mark.parametrize("ruleset", STEPWISE_RULESETS)
def test_orders_that_undo_a_spell_of_the_haste_phase_give_a_caution(ruleset: str) -> None:
    """A Counter-spell on Bram would stop the Missile that Ada cast in the haste phase.

    rules: R97
    """
    ready = duel(begun("W", "S", effects={"haste": THREE_TURNS}), ruleset=ruleset).copy()
    ready.kind = HASTE
    after, _ = play_turn(ready, ada=made("P D"))
    assert [(cast.spell, cast.subject) for cast in after.pending] == [
        ("missile", BRAM), ("shield", ADA),
    ]  # fmt: skip
    at_him = engine.play.cautions(
        after, ADA, engine.orders.from_fields(orders("P -", left_subject=BRAM))
    )
    assert [(caution.code, caution.field) for caution in at_him] == [("counters_own", "")]
    assert at_him[0].text == (
        "The Missile of your haste row does nothing: your own Counter-spell covers Bram."
    )
    assert "counters_own" not in {
        caution.code
        for caution in engine.play.cautions(after, ADA, engine.orders.from_fields(orders("F -")))
    }


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_no_shield_caution_for_beings_outside_an_extra_turn(ruleset: str) -> None:
    """rules: R98"""
    position = duel(
        begun("S"), under_effects(protection_from_evil={"turns": 3}), ruleset=ruleset
    ).copy()
    assert caution_codes(position, "D -") == ["shielded"]
    position.kind, position.stopped = EXTRA, (ADA,)
    position.turn += ruleset in NUMBERED_RULESETS
    assert caution_codes(position, "D -") == []


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_shield_caution_in_an_extra_turn_ignores_protection_of_opponents(ruleset: str) -> None:
    """Bram's protection does not apply in Ada's extra turn.

    Ada's own protection does, except in rulesets that number extra turns. rules: R98, W12"""
    protected = {"protection_from_evil": {"turns": 3}}
    position = duel(
        begun("", effects=protected), under_effects(**protected), ruleset=ruleset
    ).copy()
    position.kind, position.stopped = EXTRA, (ADA,)
    position.turn += ruleset in NUMBERED_RULESETS
    assert caution_codes(position, "P -", left_subject=BRAM) == ["helps_rival"]
    already = [] if ruleset in NUMBERED_RULESETS else ["shielded_already"]
    assert caution_codes(position, "P -", left_subject=ADA) == already


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_wizard_who_cannot_act_gets_no_cautions(ruleset: str) -> None:
    position = duel(monsters=[adas()], ruleset=ruleset).copy()
    position.kind, position.stopped = EXTRA, (BRAM,)
    assert caution_codes(position, "- -") == []
    palms = engine.orders.from_fields(orders("P P"))
    assert engine.play.cautions(position, ADA, palms) == ()


@pytest.mark.parametrize("ruleset", STEPWISE_RULESETS)
def test_storms_of_haste_phase_and_turn_that_cancel_give_a_caution(ruleset: str) -> None:
    """rules: R66, R97"""
    hasted = begun("SWW", effects={"haste": THREE_TURNS}, bank="ice_storm")
    position = duel(hasted, ruleset=ruleset).copy()
    position.kind = HASTE
    after, _ = play_turn(position, ada=made("C C"))
    written = engine.orders.from_fields(orders("F -", release="yes"))
    assert [(c.code, c.field, c.text) for c in engine.play.cautions(after, ADA, written)] == [
        ("storms_cancel", "release", "Your own Fire Storm and Ice Storm cancel each other.")
    ]
