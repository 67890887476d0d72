"""Tests of unusual but legal orders."""

from collections.abc import Mapping

import pytest

import engine
import engine.orders
import engine.play
from engine.positions.position import Position
from tests.engine.board import ADA, BRAM, begun, duel, made, play_turn, under_effects
from tests.engine.order_positions import (
    AFTER_S,
    CHARMER_OF_HASTED,
    ENTHRALLED,
    GOBLINS,
    HASTED,
    NEW_DUEL,
    ONE_TURN,
    PARALYSED,
    TIME_STOPPED,
    faults,
)


@pytest.mark.parametrize(
    ("position", "flat"),
    [
        pytest.param(NEW_DUEL, made("P P"), id="surrender"),
        pytest.param(NEW_DUEL, made("C -"), id="half a clap, R1"),
        pytest.param(NEW_DUEL, {}, id="no orders"),
        pytest.param(PARALYSED, made("- -"), id="nothing written for a forced hand"),
        pytest.param(HASTED, {"left2": "W"}, id="orders for the second set only"),
        pytest.param(AFTER_S, made("D -", left_subject="w0"), id="a missile at the caster"),
        pytest.param(AFTER_S, made("D -", left_subject="nowhere"), id="no target, R8"),
        pytest.param(NEW_DUEL, made("P -", left_subject="R:w1"), id="a future monster, R14"),
        pytest.param(NEW_DUEL, made("P -", left_subject="BANK:w1"), id="a monster to be released"),
        pytest.param(
            duel(begun("PSD"), monsters=GOBLINS),
            made("D -", left_spell="charm_monster", left_subject="m1", **{"victim:m1": "w1"}),
            id="orders for a monster about to be charmed, R15",
        ),
        pytest.param(
            duel(begun("DWWFW"), monsters=[{"kind": "ogre", "state": "corpse"}]),
            made("C C", both_subject="m0", **{"victim:m0": "w1"}),
            id="orders for a corpse about to be raised, R55",
        ),
        pytest.param(
            {"bank": "summon_goblin"}, {"release": "yes", "victim:BANK:w0": "w1"},
            id="orders for a monster about to be released",
        ),
        pytest.param(
            duel(under_effects(blindness={"turns": 2}), monsters=GOBLINS),
            {"victim:m0": "attacker"},
            id="a blind wizard's orders against their attacker",
        ),
        pytest.param(
            duel(under_effects(confusion=ONE_TURN)),
            made("W -", left_spell="shield", right_spell="shield"),
            id="a spell that confusion may complete, R146",
        ),
        pytest.param(
            CHARMER_OF_HASTED, {"charmed:w1.L": "F", "charmed2:w1.L": "W"},
            id="both sets of a charmed hasted hand",
        ),
        pytest.param(ENTHRALLED, {"heart": "yes"}, id="stopping the heart under a permanent spell"),
        pytest.param(TIME_STOPPED, made("W S"), id="a gesture of a time-stopped wizard"),
        pytest.param(
            duel(begun("PPW", "--W")), made("S S", both_spell="invisibility", both_subject="w1"),
            id="a two-handed spell",
        ),
        pytest.param(
            duel(begun("PPW", "--W")), made("S S", left_spell="invisibility", left_subject="w1"),
            id="a two-handed spell written for one of them, R176",
        ),
    ],
)  # fmt: skip
def test_legal_orders_have_no_faults(
    position: Position | dict[str, object], flat: Mapping[str, str]
) -> None:
    at = position if isinstance(position, Position) else duel(position)
    assert faults(at, ADA, flat) == []


def test_spell_can_be_chosen_for_a_delay_that_a_rival_casts_this_turn() -> None:
    """No window is open when the orders are written. rules: R102, R172"""
    position = duel(begun("S"), begun("DWSSS"))
    delay = made("P -", left_spell="delayed_effect", left_subject=ADA)
    for hand, spell in (("L", "missile"), ("R", "shield")):
        ada = made("D P", bank=hand)
        assert not engine.play.check(position, ADA, engine.orders.from_fields(ada))
        after, _ = play_turn(position, ada=ada, bram=delay)
        assert after.wizard(ADA).bank == spell


def test_orders_can_name_a_wizard_who_resigned_this_turn() -> None:
    """Orders that were sealed before a resignation stay legal. rules: turn:resign"""
    position, _ = engine.play.resign(duel(begun("S"), seats=3), BRAM)
    assert faults(position, ADA, made("D -", left_subject="w1")) == []
    later, _ = play_turn(position, ada=made("S -"))
    assert faults(later, ADA, made("D -", left_subject="w1")) == [
        ("nobody_there", "left_subject", "R14")
    ]
