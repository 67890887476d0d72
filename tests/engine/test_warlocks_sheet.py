"""Tests of those parts of the order sheet that only Warlocks has.

The parts are hands to hold or charm, marks, a bank with its subject, and stopping the heart. rules:
W18, W27, W34, W35
"""

import pytest

import engine.orders
import engine.play
from engine.positions.position import EXTRA, HASTE, Position
from tests.engine.board import ADA, BRAM, Row, begun, duel, made, under_effects

ONE_TURN: dict[str, object] = {"turns": 1}
THREE_TURNS: dict[str, object] = {"turns": 3}
PERMANENT_EFFECT: dict[str, object] = {"permanent": True}
FORGETFUL_WIZARD: Row = begun("C", "C", effects={"amnesia": PERMANENT_EFFECT})


def warlocks_duel(*wizards: Row) -> Position:
    return duel(*wizards, ruleset="warlocks-1")


def position_of_kind(position: Position, kind: str, *stopped: str) -> Position:
    position.kind, position.stopped = kind, stopped
    return position


def test_only_the_caster_of_a_paralysis_can_choose_the_hand() -> None:
    """rules: W18"""
    position = warlocks_duel({}, under_effects(paralysis={**ONE_TURN, "caster": ADA}))
    (held,) = engine.play.sheet(position, ADA).held
    assert (held.wizard, held.field, held.options, held.default) == (
        BRAM,
        "held:w1",
        ("L", "R"),
        "L",
    )
    assert engine.play.sheet(position, BRAM).held == ()


def test_caster_cannot_choose_if_a_hand_was_held_on_the_turn_before() -> None:
    """rules: W18"""
    position = warlocks_duel({}, under_effects(paralysis={**ONE_TURN, "caster": ADA, "hand": "R"}))
    (held,) = engine.play.sheet(position, ADA).held
    assert (held.options, held.default) == (("R",), "R")
    assert engine.play.sheet(position, BRAM).sets[0].right.forced == "-"


def test_caster_cannot_choose_a_hand_in_anothers_hasted_turn() -> None:
    """The sheets of the paralysed and the charmed wizard say that their hands are free.

    rules: W18
    """
    spells = {"paralysis": {**THREE_TURNS, "caster": ADA}, "haste": THREE_TURNS}
    position = position_of_kind(warlocks_duel({}, begun("C", "C", effects=spells)), HASTE)
    assert engine.play.sheet(position, ADA).held == ()
    assert [hand.changeable for hand in sheet_hands(position, BRAM)] == ["", ""]
    assert [hand.forced for hand in sheet_hands(position, BRAM)] == ["", ""]


def sheet_hands(
    position: Position, wizard: str
) -> tuple[engine.play.HandSheet, engine.play.HandSheet]:
    (only,) = engine.play.sheet(position, wizard).sets
    return only.left, only.right


def test_charmer_can_choose_one_of_two_hands() -> None:
    """rules: W18"""
    position = warlocks_duel({}, under_effects(charm_person={**ONE_TURN, "caster": ADA}))
    offered = engine.play.sheet(position, ADA).charmed
    assert [(hand.key, hand.is_one_of_two) for hand in offered] == [("w1.L", True), ("w1.R", True)]


def test_hands_can_be_marked_while_a_window_is_open() -> None:
    """Next to each hand, the sheet shows the spell that the draft completes. rules: W34, W35"""
    windows = {"delayed_effect": THREE_TURNS, "permanency": THREE_TURNS}
    position = warlocks_duel(begun("SW", "S", effects=windows))
    draft = engine.orders.from_fields(made("D D"))
    bank, permanency = engine.play.sheet(position, ADA, draft).captures
    assert (bank.kind, bank.hands, bank.default) == ("bank", ("L", "R", "BH"), "")
    assert bank.candidates == (("L", "fear"), ("R", "missile"))
    assert (permanency.kind, permanency.candidates) == ("permanency", (("L", "fear"),))
    assert engine.play.sheet(warlocks_duel(begun("SW", "S")), ADA, draft).captures == ()


def test_banked_spell_can_be_released_only_at_its_own_subject() -> None:
    """rules: W34"""
    position = warlocks_duel({"bank": "fireball", "bank_subject": BRAM})
    bank = engine.play.sheet(position, ADA).bank
    assert bank is not None
    assert (bank.spell, bank.subject, bank.options) == ("fireball", BRAM, ())
    storm = engine.play.sheet(warlocks_duel({"bank": "ice_storm"}), ADA).bank
    assert storm is not None
    assert (storm.subject, storm.options) == ("", ())


def test_wizard_can_stop_their_heart_under_a_permanent_mind_spell() -> None:
    """rules: W27"""
    assert engine.play.sheet(
        warlocks_duel(under_effects(fear=PERMANENT_EFFECT)), ADA
    ).may_stop_heart
    assert not engine.play.sheet(warlocks_duel(under_effects(fear=ONE_TURN)), ADA).may_stop_heart
    assert not engine.play.sheet(
        warlocks_duel(under_effects(protection_from_evil=PERMANENT_EFFECT)), ADA
    ).may_stop_heart
    resting = position_of_kind(warlocks_duel(under_effects(fear=PERMANENT_EFFECT)), EXTRA, BRAM)
    assert not engine.play.sheet(resting, ADA).may_stop_heart


def test_wizard_who_can_only_choose_a_hand_or_mark_or_stop_the_heart_must_decide() -> None:
    """Both of Ada's own hands are forced. rules: W18, W27, W34"""
    free = begun("C", "C", effects={"amnesia": ONE_TURN})
    assert ADA not in engine.play.deciding_wizards(warlocks_duel(free))
    assert ADA in engine.play.deciding_wizards(warlocks_duel(FORGETFUL_WIZARD))
    marking = begun("C", "C", effects={"amnesia": ONE_TURN, "delayed_effect": THREE_TURNS})
    assert ADA in engine.play.deciding_wizards(warlocks_duel(marking))
    paralysed = under_effects(paralysis={**ONE_TURN, "caster": ADA})
    assert ADA in engine.play.deciding_wizards(warlocks_duel(free, paralysed))
    held = under_effects(paralysis={**ONE_TURN, "caster": ADA, "hand": "L"})
    assert ADA not in engine.play.deciding_wizards(warlocks_duel(free, held))


def test_sheet_asks_no_questions_in_advance() -> None:
    """In Warlocks nobody is asked after the reveal. rules: W18"""
    position = warlocks_duel(begun("FF", "PSD"))
    draft = engine.orders.from_fields(made("F F"))
    assert engine.play.sheet(position, ADA, draft).advance == ()
    assert engine.play.questions(position, {ADA: draft}, {}, engine.play.NoDice()) == ()


def test_wizard_can_choose_spells_for_a_held_and_for_a_free_hand() -> None:
    """Bram's left hand makes D (Missile) if held, and his P (Shield) if free. rules: W18, R146"""
    spells = {"paralysis": {**ONE_TURN, "caster": ADA}}
    position = warlocks_duel({}, begun("S", "S", effects=spells))
    for spell in ("missile", "shield"):
        flat = made("P -", left_spell=spell)
        assert engine.play.check(position, BRAM, engine.orders.from_fields(flat)) == ()
    impossible = engine.orders.from_fields(made("P -", left_spell="fear"))
    assert [fault.code for fault in engine.play.check(position, BRAM, impossible)] == [
        "not_completed"
    ]


def test_orders_for_a_held_hand_stay_legal_if_the_paralysis_caster_leaves() -> None:
    """rules: turn:resign, W18"""
    spells = {"paralysis": {**ONE_TURN, "caster": ADA}}
    before = duel({}, begun("S", "S", effects=spells), {}, ruleset="warlocks-1")
    orders = engine.orders.from_fields(made("P -", left_spell="missile"))
    assert engine.play.check(before, BRAM, orders) == ()
    after, _ = engine.play.resign(before, ADA)
    assert engine.play.check(after, BRAM, orders) == ()
    played, _ = engine.play.resolve(after, {BRAM: orders}, {}, engine.play.NoDice())
    assert played.wizard(BRAM).left.endswith("P")


def test_setup_must_give_a_subject_for_a_banked_spell_if_it_is_ambiguous() -> None:
    """rules: W3, W34"""
    with pytest.raises(
        engine.play.InvalidData, match="bank_subject: a banked spell needs its subject"
    ):
        duel({"bank": "fireball"}, seats=3, ruleset="warlocks-1")
    assert duel({"bank": "fireball"}, ruleset="warlocks-1").wizard(ADA).bank_subject == BRAM
    assert duel({"bank": "shield"}, seats=3, ruleset="warlocks-1").wizard(ADA).bank_subject == ADA
    with pytest.raises(
        engine.play.InvalidData, match="bank_subject: banked spells have no subject"
    ):
        duel({"bank": "fireball", "bank_subject": BRAM})
