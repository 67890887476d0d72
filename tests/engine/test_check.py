"""Tests of every fault that orders can have, each compared with similar legal orders.

Names of beings: w0 Ada, w1 Bram, w2 Cleo, m0 the first monster. Orders are given as fields.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

import engine
import engine.orders
import engine.play
from engine.orders import MAX_MESSAGE_LENGTH, HandSet, Orders
from engine.positions.position import Position
from tests.engine.board import ADA, BRAM, begun, duel, made
from tests.engine.order_positions import (
    AFRAID,
    AFTER_S,
    AMNESIAC,
    ARCHMAGES,
    BANKER,
    CHARMER,
    DUEL_AFTER_SURRENDER,
    ELEMENTAL,
    ENTHRALLED,
    GOBLINS,
    HASTED,
    HOLDING_AGAIN,
    MASTER_OF_HANDS,
    NEW_DUEL,
    OTHERS_HASTED,
    PARALYSED,
    SACRIFICE_DUEL,
    STABBING,
    STORM_BANKER,
    STRICT_DUEL,
    TIME_STOPPED,
    WARLOCKS,
    WITH_CORPSE,
    WITH_GOBLINS,
    faults,
)
from tests.engine.rulebook import RULES


@dataclass(frozen=True)
class FaultyOrders:
    """Faulty orders with exactly this fault in these fields, and similar legal orders."""

    name: str
    code: str
    fields: str
    rule: str
    position: Position
    faulty: Mapping[str, str]
    legal: Mapping[str, str]
    wizard: str = ADA


FAULTS = (
    # Letters
    FaultyOrders(
        "a second set without haste", "no_second_set", "left2", "R97",
        NEW_DUEL, {"left": "W", "left2": "W"}, {"left": "W"},
    ),
    FaultyOrders(
        "choices for a second set without haste", "no_second_set",
        "right2 left_spell2 both_subject2", "R97",
        NEW_DUEL, {"right2": "P", "left_spell2": "shield", "both_subject2": "w0"}, {"left2": "-"},
    ),
    FaultyOrders(
        "gestures while time stands still", "not_your_turn", "left right", "R98",
        TIME_STOPPED, made("W S"), made("- -"), BRAM,
    ),
    FaultyOrders(
        "a paralysed hand moved", "forced_hand", "left", "spell:paralysis",
        PARALYSED, made("W -"), made("F -"),
    ),
    FaultyOrders(
        "an amnesiac hand moved", "forced_hand", "right", "spell:amnesia",
        AMNESIAC, made("W S"), made("W P"),
    ),
    FaultyOrders(
        "a snap under Fear", "feared_letter", "left", "R87",
        AFRAID, made("S -"), made("> W"),
    ),
    FaultyOrders(
        "two stabs", "two_stabs", "left right", "R16",
        NEW_DUEL, made("> >"), made("> -"),
    ),
    FaultyOrders(
        "a stab next to a paralysed stab", "two_stabs", "left", "R129",
        STABBING, made("> -"), made("P -"),
    ),
    FaultyOrders(
        "two stabs in the second set", "two_stabs", "left2 right2", "R16",
        HASTED, {"left2": ">", "right2": ">"}, {"left": ">", "right2": ">"},
    ),
    # Spells
    FaultyOrders(
        "an unknown spell", "unknown_spell", "left_spell", "turn:casting",
        NEW_DUEL, made("P -", left_spell="umbrella"), made("P -", left_spell="shield"),
    ),
    FaultyOrders(
        "a spell that is not completed", "not_completed", "left_spell", "R7",
        AFTER_S, made("D -", left_spell="fireball"), made("D -", left_spell="missile"),
    ),
    FaultyOrders(
        "the right spell with the wrong hand", "not_completed", "right_spell", "R7",
        AFTER_S, made("D -", right_spell="missile"), made("D -", left_spell="missile"),
    ),
    FaultyOrders(
        "the short bolt a second time", "not_completed", "left_spell", "R7",
        duel(begun("WDD", used_bolt=True)), made("C C", left_spell="lightning_bolt"),
        made("C C"),
    ),
    FaultyOrders(
        "one hand's spell next to a spell of both", "both_hands_used",
        "right_spell both_spell", "R4",
        duel(begun("PPW", "WW")),
        made("S S", both_spell="invisibility", right_spell="counter_spell"),
        made("S S", both_spell="invisibility"),
    ),
    # Subjects
    FaultyOrders(
        "a subject for a hand that casts nothing", "nothing_to_aim", "left_subject", "turn:orders",
        NEW_DUEL, made("W -", left_subject="w1"), made("P -", left_subject="w1"),
    ),
    FaultyOrders(
        "a subject for a set that is not made", "nothing_to_aim", "right_subject", "turn:orders",
        AFTER_S, made("D -", right_subject="w1"), made("D -", left_subject="w1"),
    ),
    FaultyOrders(
        "a wizard who does not exist", "nobody_there", "left_subject", "R14",
        AFTER_S, made("D -", left_subject="w2"), made("D -", left_subject="w1"),
    ),
    FaultyOrders(
        "a monster that does not exist", "nobody_there", "left_subject", "R14",
        AFTER_S, made("D -", left_subject="m0"), made("D -", left_subject="L:w1"),
    ),
    FaultyOrders(
        "a wizard who has surrendered", "nobody_there", "left_subject", "R14",
        DUEL_AFTER_SURRENDER, made("> -", left_subject="w1"), made("> -", left_subject="w2"),
    ),
    FaultyOrders(
        "a stab at yourself", "stab_self", "left_subject", "R17",
        NEW_DUEL, made("> -", left_subject="w0"), made("> -", left_subject="w1"),
    ),
    FaultyOrders(
        "a stab without a target", "stab_nowhere", "right_subject", "R17",
        NEW_DUEL, made("- >", right_subject="nowhere"), made("- >", right_subject="w1"),
    ),
    FaultyOrders(
        "an elemental summoned without a target", "subject", "left_subject", "R8",
        duel(begun("CSWW", "C---")),
        made("S -", left_spell="summon_elemental", left_subject="nowhere"),
        made("S -", left_spell="summon_elemental", left_subject="w1"),
    ),
    FaultyOrders(
        "a counter-spell for a corpse", "subject", "left_subject", "spell:counter_spell",
        duel(begun("WP"), monsters=[{"kind": "ogre", "state": "corpse"}]),
        made("P -", left_subject="m0"),
        made("P -", left_subject="m0", left_spell="shield"),
    ),
    FaultyOrders(
        "a storm with an aim", "subject", "both_subject", "spell:fire_storm",
        duel(begun("SWW")), made("C C", both_subject="w1"), made("C C"),
    ),
    # The bank
    FaultyOrders(
        "a release of nothing", "nothing_banked", "release", "R53",
        NEW_DUEL, {"release": "yes"}, {},
    ),
    FaultyOrders(
        "a subject without a release", "not_released", "release_subject", "spell:delayed_effect",
        BANKER, {"release_subject": "w1"}, {"release": "yes", "release_subject": "w1"},
    ),
    FaultyOrders(
        "a release at an unknown being", "nobody_there", "release_subject", "R14",
        BANKER, {"release": "yes", "release_subject": "m7"},
        {"release": "yes", "release_subject": "nowhere"},
    ),
    FaultyOrders(
        "a banked storm with an aim", "subject", "release_subject", "spell:fire_storm",
        STORM_BANKER, {"release": "yes", "release_subject": "w1"}, {"release": "yes"},
    ),
    FaultyOrders(
        "nothing to bank", "nothing_to_capture", "bank", "R103",
        NEW_DUEL, made("W -", bank="L"), made("P -", bank="L"),
    ),
    FaultyOrders(
        "nothing that could be permanent", "nothing_to_capture", "permanency", "R107",
        duel(begun("SW")), made("D P", permanency="R"), made("D P", permanency="L"),
    ),
    # Monsters
    FaultyOrders(
        "orders for another's monster", "not_your_monster", "victim:m1", "R15",
        WITH_GOBLINS, {"victim:m1": "w0"}, {"victim:m0": "w1"},
    ),
    FaultyOrders(
        "orders for a monster that does not exist", "nobody_there", "victim:m2", "R14",
        WITH_GOBLINS, {"victim:m2": "w1"}, {"victim:m0": "m1"},
    ),
    FaultyOrders(
        "orders for a monster of an unknown wizard", "nobody_there", "victim:L:w2", "R14",
        NEW_DUEL, {"victim:L:w2": "w1"}, {"victim:L:w1": "w1"},
    ),
    FaultyOrders(
        "orders for an elemental", "takes_no_orders", "victim:m0", "spell:summon_elemental",
        ELEMENTAL, {"victim:m0": "w1"}, {},
    ),
    FaultyOrders(
        "orders for a monster that is not made", "makes_no_monster", "victim:L:w0", "R15",
        duel(begun("SF")), made("P -", **{"victim:L:w0": "w1"}),
        made("W -", **{"victim:L:w0": "w1"}),
    ),
    FaultyOrders(
        "a monster against itself", "attacks_itself", "victim:m0", "R74",
        WITH_GOBLINS, {"victim:m0": "m0"}, {"victim:m0": "w0"},
    ),
    FaultyOrders(
        "the attacker as victim, without blindness", "not_blind", "victim:m0", "spell:blindness",
        WITH_GOBLINS, {"victim:m0": "attacker"}, {"victim:m0": "no_one"},
    ),
    FaultyOrders(
        "a victim that does not exist", "nobody_there", "victim2:m0", "R14",
        WITH_GOBLINS, {"victim:m0": "w1", "victim2:m0": "w5"}, {"victim2:m0": "w1"},
    ),
    FaultyOrders(
        "a second victim if both blows have one", "one_victim", "victim2:m0", "W42",
        duel(monsters=GOBLINS, ruleset="warlocks-1"),
        {"victim:m0": "w1", "victim2:m0": "w0"}, {"victim:m0": "w1"},
    ),
    FaultyOrders(
        "a corpse as a victim", "victim", "victim:m0", "turn:victims",
        WITH_CORPSE, {"victim:m0": "m1"}, {"victim:m0": "w1"},
    ),
    # A Sacrifice under the house rule
    FaultyOrders(
        "a Sacrifice of a monster without the house rule", "no_such_option", "sacrifice",
        "R24", duel(begun("DWFF", "-WFF"), monsters=GOBLINS, ruleset="wizards-1"),
        made("D D", sacrifice="m0"), made("D D"),
    ),
    FaultyOrders(
        "a monster sacrificed without a Sacrifice", "nothing_sacrificed", "sacrifice", "R24",
        SACRIFICE_DUEL, made("D -", sacrifice="m0"), made("D D", sacrifice="m0"),
    ),
    FaultyOrders(
        "another wizard's monster sacrificed", "not_your_monster", "sacrifice", "R24",
        SACRIFICE_DUEL, made("D D", sacrifice="m1"), made("D D", sacrifice="m0"),
    ),
    FaultyOrders(
        "an elemental sacrificed", "subject", "sacrifice", "R24",
        SACRIFICE_DUEL, made("D D", sacrifice="m2"), made("D D", sacrifice="m0"),
    ),
    FaultyOrders(
        "a wizard sacrificed", "nobody_there", "sacrifice", "R14",
        SACRIFICE_DUEL, made("D D", sacrifice="w1"), made("D D", sacrifice="m0"),
    ),
    FaultyOrders(
        "a monster sacrificed that is not made", "makes_no_monster", "sacrifice", "R15",
        SACRIFICE_DUEL, made("D D", sacrifice="L:w0"), made("D D", sacrifice="m0"),
    ),
    # Orders that only other rulesets forbid
    FaultyOrders(
        "an Anti-spell at its caster", "subject", "left_subject", "R93",
        ARCHMAGES, made("F -", left_subject="w0"), made("F -", left_subject="w1"),
    ),
    FaultyOrders(
        "an Anti-spell at a monster", "subject", "left_subject", "spell:anti_spell",
        ARCHMAGES, made("F -", left_subject="m1"), made("F -", left_subject="nowhere"),
    ),
    FaultyOrders(
        "a dead wizard raised", "subject", "both_subject", "R54",
        ARCHMAGES, made("C C", both_subject="w2"), made("C C", both_subject="w0"),
    ),
    FaultyOrders(
        "a spell without a target in the wizards ruleset", "subject", "left_subject", "R8",
        duel(begun("S"), ruleset="wizards-1"), made("D -", left_subject="nowhere"),
        made("D -", left_subject="w0"),
    ),
    FaultyOrders(
        "a banked spell without a target, wizards ruleset", "subject", "release_subject", "R8",
        duel({"bank": "missile"}, ruleset="wizards-1"),
        {"release": "yes", "release_subject": "nowhere"}, {"release": "yes"},
    ),
    # Charmed hands
    FaultyOrders(
        "a hand that is not charmed", "not_your_hand", "charmed:w1.R", "R85",
        CHARMER, {"charmed:w1.R": "F"}, {"charmed:w1.L": "F"},
    ),
    FaultyOrders(
        "a charmed second set without haste", "no_second_set", "charmed2:w1.L", "R97",
        CHARMER, {"charmed:w1.L": "F", "charmed2:w1.L": "F"}, {"charmed:w1.L": "F"},
    ),
    # Hands named in the orders
    FaultyOrders(
        "a held hand that is asked after the reveal", "named_later", "held:w1", "R81",
        CHARMER, {"held:w1": "L"}, {},
    ),
    FaultyOrders(
        "a held hand of a wizard who is not paralysed", "nothing_held", "held:w1", "W18",
        MASTER_OF_HANDS, {"held:w1": "R"}, {"held:w2": "R"},
    ),
    FaultyOrders(
        "a held hand of another caster's Paralysis", "nothing_held", "held:w2", "W18",
        MASTER_OF_HANDS, {"held:w2": "L"}, {}, BRAM,
    ),
    FaultyOrders(
        "a different held hand than last turn", "same_hand", "held:w1", "W18",
        HOLDING_AGAIN, {"held:w1": "L"}, {"held:w1": "R"},
    ),
    FaultyOrders(
        "an answer that is never asked", "never_asked", "answer:paralysis", "W18",
        WARLOCKS, {"answer:paralysis": "R"}, {},
    ),
    # Marks for windows, and stopping the heart
    FaultyOrders(
        "a mark without a delay", "window_shut", "bank", "W34",
        ENTHRALLED, made("P -", bank="L"), made("P -"),
    ),
    FaultyOrders(
        "a mark without a permanency", "window_shut", "permanency", "W35",
        ENTHRALLED, made("P -", permanency="L"), made("P -"),
    ),
    FaultyOrders(
        "a subject for a bank that has its own", "subject_is_banked", "release_subject", "W34",
        duel({"bank": "missile", "bank_subject": "w1"}, ruleset="warlocks-1"),
        {"release": "yes", "release_subject": "w0"}, {"release": "yes"},
    ),
    FaultyOrders(
        "a mark in a second set", "no_second_set", "bank", "W34",
        MASTER_OF_HANDS, made("- -", bank="L2"), made("- -", bank="L", permanency="L"),
    ),
    FaultyOrders(
        "a stopped heart in another ruleset", "heart_beats_on", "heart", "W27",
        AFRAID, {"heart": "yes"}, {},
    ),
    FaultyOrders(
        "a stopped heart without a permanent spell", "heart_beats_on", "heart", "W27",
        WARLOCKS, {"heart": "yes"}, {},
    ),
    FaultyOrders(
        "a stopped heart in another's hasted turn", "heart_beats_on", "heart", "W27",
        OTHERS_HASTED, {"heart": "yes"}, {},
    ),
    FaultyOrders(
        "a spell released in another's hasted turn", "nothing_banked", "release", "R53",
        OTHERS_HASTED, {"release": "yes"}, {},
    ),
    FaultyOrders(
        "a hand held in another's hasted turn", "nothing_held", "held:w1", "W18",
        OTHERS_HASTED, {"held:w1": "L"}, {},
    ),
    FaultyOrders(
        "a mark in another's hasted turn", "window_shut", "bank", "W34",
        OTHERS_HASTED, {"bank": "L"}, {},
    ),
    # The duel
    FaultyOrders(
        "an answer before the question in a strict duel", "strict", "answer:paralysis",
        "turn:answers", STRICT_DUEL, {"answer:paralysis": "R"}, {},
    ),
)  # fmt: skip


@pytest.mark.parametrize("wrong", FAULTS, ids=[wrong.name for wrong in FAULTS])
def test_each_fault_is_found_but_not_in_similar_legal_orders(wrong: FaultyOrders) -> None:
    expected = [(wrong.code, field, wrong.rule) for field in wrong.fields.split()]
    assert sorted(faults(wrong.position, wrong.wizard, wrong.faulty)) == sorted(expected)
    assert faults(wrong.position, wrong.wizard, wrong.legal) == []


@pytest.mark.parametrize("wrong", FAULTS, ids=[wrong.name for wrong in FAULTS])
def test_every_fault_text_is_a_sentence_and_cites_an_existing_rule(wrong: FaultyOrders) -> None:
    orders = engine.orders.from_fields(wrong.faulty)
    for fault in engine.play.check(wrong.position, wrong.wizard, orders):
        assert re.fullmatch(r"[A-Z].*\.", fault.text)
        assert fault.rule in RULES
        assert fault.field in wrong.faulty


def test_invalid_gesture_is_a_fault() -> None:
    (fault,) = engine.play.check(NEW_DUEL, ADA, Orders((HandSet("W", "K"),)))
    assert (fault.code, fault.field, fault.rule) == ("no_gesture", "right", "turn:orders")
    (fault,) = engine.play.check(NEW_DUEL, ADA, Orders((HandSet("", "W"),)))
    assert (fault.code, fault.field) == ("no_gesture", "left")


def test_message_that_is_too_long_is_a_fault() -> None:
    (fault,) = engine.play.check(NEW_DUEL, ADA, Orders(say="x" * (MAX_MESSAGE_LENGTH + 1)))
    assert (fault.code, fault.field, fault.rule) == ("too_long", "say", "turn:orders")
    assert engine.play.check(NEW_DUEL, ADA, Orders(say="x" * MAX_MESSAGE_LENGTH)) == ()


@pytest.mark.parametrize("state", ["dead", "surrendered", "resigned"])
def test_orders_of_a_wizard_out_of_the_duel_are_faults(state: str) -> None:
    position = duel({}, {"state": state}, seats=3)
    assert faults(position, BRAM, {}) == [("out_of_the_duel", "", "turn:orders")]
    assert faults(position, ADA, {}) == []


def test_orders_are_rejected_once_the_duel_is_over() -> None:
    over, _ = engine.play.resign(NEW_DUEL, BRAM)
    assert faults(over, ADA, made("W W")) == [("out_of_the_duel", "", "turn:orders")]


def test_every_fault_code_is_tested() -> None:
    """A new fault in check.py needs a case in the list above."""
    source = (Path(engine.__file__).parent / "legality/check.py").read_text(encoding="utf-8")
    written = set(re.findall(r'Fault\(\s*"(\w+)"', source))
    tried = {wrong.code for wrong in FAULTS}
    tried |= {"no_gesture", "too_long", "out_of_the_duel", "two_charmed_hands"}
    tried |= {code for _, code, _ in ORDERS_MADE_BY_CODE}
    assert len(written) > 20
    assert tried == written


def test_all_faults_are_found_at_once() -> None:
    flat = made("W -", left_spell="shield", right_subject="w1", bank="R", **{"victim:m1": "w0"})
    assert [field for _, field, _ in faults(WITH_GOBLINS, ADA, flat)] == [
        "left_spell", "right_subject", "bank", "victim:m1",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("flat", "code"),
    [
        ({"victim:m1": "w1", "victim2:m1": "w1"}, "not_your_monster"),
        ({"victim2:m7": "w1"}, "nobody_there"),
        ({"victim:L:w0": "w1", "victim2:L:w0": "w1"}, "makes_no_monster"),
        ({"charmed:w1.L": "P", "charmed2:w1.L": "P"}, "not_your_hand"),
        ({"charmed2:w1.L": "P"}, "not_your_hand"),
    ],
)
def test_faults_of_a_monster_or_a_hand_name_every_field_written_for_it(
    flat: Mapping[str, str], code: str
) -> None:
    found = faults(WITH_GOBLINS, ADA, flat)
    assert [(one, field) for one, field, _ in found] == [(code, field) for field in flat]


def test_two_gestures_for_one_charm_are_faults_of_both_hands() -> None:
    """rules: W18"""
    both = {"charmed:w1.L": ">", "charmed:w1.R": "-"}
    assert faults(MASTER_OF_HANDS, ADA, both) == [
        ("two_charmed_hands", "charmed:w1.L", "W18"),
        ("two_charmed_hands", "charmed:w1.R", "W18"),
    ]
    assert faults(MASTER_OF_HANDS, ADA, {"charmed:w1.R": "-"}) == []
    assert [code for code, _, _ in faults(MASTER_OF_HANDS, BRAM, both)] == ["not_your_hand"] * 2


@pytest.mark.parametrize("wizard", ["w2", "w9", "m0", ""])
def test_check_raises_key_error_for_an_unknown_wizard(wizard: str) -> None:
    with pytest.raises(KeyError):
        engine.play.check(NEW_DUEL, wizard, Orders())


ORDERS_MADE_BY_CODE = [
    (Orders(sets=(HandSet("P", "P", {"": "shield"}),)), "unknown_field", "_spell"),
    (Orders(sets=(HandSet("P", ">", {}, {"X": "w1"}),)), "unknown_field", "X_subject"),
    (Orders(victims={"": ("w1",)}), "unknown_field", "victim:"),
    (Orders(victims={"m0": ("w1", "w1", "w1")}), "unknown_field", "victim3:m0"),
    (Orders(victims={"m": ()}), "unknown_field", "victim:m"),
    (Orders(sets=(HandSet(spells={"X": ""}),)), "unknown_field", "X_spell"),
    (Orders(charmed={"": ()}), "unknown_field", "charmed:"),
    (Orders(charmed={"w1": ("F",)}), "unknown_field", "charmed:w1"),
    (Orders(charmed={"w9.L": ("F",)}), "unknown_field", "charmed:w9.L"),
    (Orders(held={"": "L"}), "unknown_field", "held:"),
    (Orders(answers={"": "L"}), "unknown_field", "answer:"),
    (Orders(bank="L3"), "no_hand", "bank"),
    (Orders(permanency="left"), "no_hand", "permanency"),
]


@pytest.mark.parametrize("ruleset", ["bartle-1", "spellcast-1"])
@pytest.mark.parametrize("options", [[], ["strict"]])
@pytest.mark.parametrize(("orders", "code", "field"), ORDERS_MADE_BY_CODE)
def test_fields_without_the_required_part_in_their_name_are_faults(
    orders: Orders, code: str, field: str, ruleset: str, options: list[str]
) -> None:
    """Orders from a form never have such names, because `from_fields` rejects them."""
    found = engine.play.check(duel(ruleset=ruleset, options=options), ADA, orders)
    assert [(fault.code, fault.field, fault.rule) for fault in found] == [
        (code, field, "turn:orders")
    ]


def test_orders_as_text_show_an_unknown_spell_by_its_id() -> None:
    orders = engine.orders.from_fields({"left_spell": "L"})
    words = engine.play.orders_text(duel(ruleset="spellcast-1", options=["strict"]), ADA, orders)
    assert any("can cast L" in sentence for sentence in words)
