"""Tests that the order sheet explains every hand that is not free.

The sheet shows forced and forbidden gestures and who may change the hand. Each reason names the
spell and cites a rule.
"""

import pytest

import engine.orders
import engine.play
from engine.positions.position import EXTRA, HASTE, Position
from engine.rulesets.choices import HandNamingTime
from tests.engine.board import (
    ADA,
    ALL_RULESETS,
    BRAM,
    SEALED_RULESETS,
    STEPWISE_RULESETS,
    begun,
    duel,
    made,
    play_turn,
    under_effects,
)
from tests.engine.rulebook import RULES

ONE_TURN: dict[str, object] = {"turns": 1}
RULESETS_NAMING_HANDS_AT_ONCE = [
    id for id in ALL_RULESETS if engine.play.RULESETS[id].hand_named is HandNamingTime.WHEN_IT_WORKS
]


def sheet_hand(position: Position, side: str, number: int = 1) -> engine.play.HandSheet:
    found = engine.play.sheet(position, ADA).sets[number - 1]
    return found.left if side == "L" else found.right


def allowed_letters(hand: engine.play.HandSheet) -> str:
    return "".join(option.letter for option in hand.gestures if option.allowed)


def is_explained(hand: engine.play.HandSheet) -> bool:
    """Return whether the hand and each forbidden gesture have a reason and cite a rule."""
    barred = [option for option in hand.gestures if not option.allowed]
    return (
        bool(hand.reason)
        and hand.rule in RULES
        and all(option.reason and option.rule in RULES for option in barred)
    )


def accepted_gestures(position: Position, side: str) -> str:
    """Return the gestures of this hand that `check` accepts if the other hand does nothing."""
    other = {"L": "right", "R": "left"}[side]
    own = {"L": "left", "R": "right"}[side]
    return "".join(
        letter
        for letter in "FPSWDC>-"
        if not [
            fault
            for fault in engine.play.check(
                position, ADA, engine.orders.from_fields({own: letter, other: "-"})
            )
            if fault.field == own
        ]
    )


@pytest.mark.parametrize(
    "ruleset", [id for id in ALL_RULESETS if engine.play.RULESETS[id].fear_refuses]
)
def test_sheet_says_that_fear_forbids_gestures(ruleset: str) -> None:
    position = duel(under_effects(fear=ONE_TURN), ruleset=ruleset)
    for side in "LR":
        assert (
            allowed_letters(sheet_hand(position, side))
            == accepted_gestures(position, side)
            == "PW>-"
        )
        assert is_explained(sheet_hand(position, side))
        assert sheet_hand(position, side).rule == "R87"


def test_sheet_explains_the_gestures_of_a_frightened_hand() -> None:
    """Every gesture is accepted, but gestures that fear replaces complete nothing. rules: W24"""
    position = duel(begun("SP", "S", effects={"fear": ONE_TURN}), ruleset="warlocks-1")
    for side in "LR":
        assert (
            allowed_letters(sheet_hand(position, side))
            == accepted_gestures(position, side)
            == "FPSWDC>-"
        )
        assert sheet_hand(position, side).reason == (
            "You are afraid: anything except P, W, a stab or nothing becomes nothing."
        )
        assert (is_explained(sheet_hand(position, side)), sheet_hand(position, side).rule) == (
            True,
            "W24",
        )
    completions = engine.play.sheet(position, ADA).sets[0].completions
    assert {pair[1] for pair in completions} <= set("PW>-")
    assert "WP" in completions


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_sheet_shows_gestures_repeated_under_amnesia(ruleset: str) -> None:
    """Amnesia repeats the last row in stepwise play, otherwise the sets stored with it.

    rules: R82
    """
    kept = {} if ruleset in STEPWISE_RULESETS else {"sets": ["WS"]}
    position = duel(begun("FW", "DS", effects={"amnesia": {**ONE_TURN, **kept}}), ruleset=ruleset)
    for side, letter in (("L", "W"), ("R", "S")):
        held = sheet_hand(position, side)
        assert (held.forced, allowed_letters(held), held.rule) == (letter, letter, "spell:amnesia")
        assert held.reason == f"Amnesia makes this hand do {letter}."
        assert is_explained(held)


@pytest.mark.parametrize("ruleset", RULESETS_NAMING_HANDS_AT_ONCE)
@pytest.mark.parametrize("side", ["L", "R"])
def test_sheet_shows_the_gesture_of_a_paralysed_hand(ruleset: str, side: str) -> None:
    """Paralysis turns a clap into F, and the other hand is free. rules: R80"""
    paralysis = {**ONE_TURN, "hand": side, "letter": "F"}
    position = duel(begun("C", "C", effects={"paralysis": paralysis}), ruleset=ruleset)
    held, free = sheet_hand(position, side), sheet_hand(position, "LR".replace(side, ""))
    assert (held.forced, allowed_letters(held), held.rule) == ("F", "F", "spell:paralysis")
    assert is_explained(held)
    assert (free.forced, free.reason, allowed_letters(free)) == ("", "", "FPSWDC>-")


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_sheet_says_that_confusion_may_change_either_hand(ruleset: str) -> None:
    position = duel(under_effects(confusion=ONE_TURN), ruleset=ruleset)
    for side in "LR":
        assert sheet_hand(position, side).changeable == "confused"
        assert (is_explained(sheet_hand(position, side)), sheet_hand(position, side).rule) == (
            True,
            "spell:confusion",
        )


@pytest.mark.parametrize("ruleset", RULESETS_NAMING_HANDS_AT_ONCE)
def test_sheet_names_the_charmer_of_a_hand(ruleset: str) -> None:
    charm = {**ONE_TURN, "caster": BRAM, "hand": "R"}
    position = duel(under_effects(charm_person=charm), ruleset=ruleset)
    assert sheet_hand(position, "R").changeable == "charmed by Bram"
    assert "Bram" in sheet_hand(position, "R").reason
    assert is_explained(sheet_hand(position, "R"))
    assert (sheet_hand(position, "L").changeable, sheet_hand(position, "L").reason) == ("", "")


@pytest.mark.parametrize("ruleset", RULESETS_NAMING_HANDS_AT_ONCE)
@pytest.mark.parametrize("kind", ["confusion", "charm_person"])
def test_sheet_shows_a_permanent_mind_spells_gesture_as_forced(ruleset: str, kind: str) -> None:
    """rules: R173"""
    held = {"permanent": True, "hand": "L", "letter": "S", "caster": BRAM}
    position = duel(under_effects(**{kind: held}), ruleset=ruleset)
    left = sheet_hand(position, "L")
    assert (left.forced, left.changeable, left.rule) == ("S", "", f"spell:{kind}")
    assert is_explained(left)


def test_sheet_names_stabs_and_idle_hands_in_text() -> None:
    """If held, a hand that did nothing does nothing again, and one that stabbed stabs again."""
    forgetful = duel(under_effects(amnesia={**ONE_TURN, "sets": [">-"]}))
    assert sheet_hand(forgetful, "L").reason == "Amnesia makes this hand do a stab."
    assert sheet_hand(forgetful, "R").reason == "Amnesia makes this hand do nothing."
    palsied = begun(">", "-", effects={"paralysis": {**ONE_TURN, "caster": BRAM}})
    left, right = (sheet_hand(duel(palsied, ruleset="warlocks-1"), side) for side in "LR")
    assert left.reason == "Bram may hold this hand: it then makes a stab."
    assert right.reason == "Bram may hold this hand: it then makes nothing."


def test_sheet_says_who_may_hold_either_hand() -> None:
    """The caster names the hand in the orders for the same turn. rules: W18"""
    position = duel(
        begun("C", "W", effects={"paralysis": {**ONE_TURN, "caster": BRAM}}), ruleset="warlocks-1"
    )
    for side, letter in (("L", "F"), ("R", "P")):
        held = sheet_hand(position, side)
        assert (held.forced, held.changeable, held.rule) == ("", "may be held by Bram", "W18")
        assert held.reason == f"Bram may hold this hand: it then makes {letter}."
        assert allowed_letters(held) == accepted_gestures(position, side) == "FPSWDC>-"


def test_sheet_shows_the_gesture_of_a_hand_that_a_second_paralysis_holds() -> None:
    """rules: W18"""
    paralysis = {**ONE_TURN, "caster": BRAM, "hand": "R"}
    position = duel(begun("C", "W", effects={"paralysis": paralysis}), ruleset="warlocks-1")
    assert (sheet_hand(position, "R").forced, accepted_gestures(position, "R")) == ("P", "P-")
    assert (sheet_hand(position, "L").forced, sheet_hand(position, "L").changeable) == ("", "")


def test_sheet_says_that_a_charmer_may_move_either_hand() -> None:
    """rules: W18"""
    position = duel(under_effects(charm_person={**ONE_TURN, "caster": BRAM}), ruleset="warlocks-1")
    for side in "LR":
        assert sheet_hand(position, side).changeable == "charmed by Bram"
    assert [each.key for each in engine.play.sheet(position, BRAM).charmed] == ["w0.L", "w0.R"]


@pytest.mark.parametrize("ruleset", SEALED_RULESETS)
def test_sheet_forbids_a_second_stab_next_to_a_forced_one(ruleset: str) -> None:
    """rules: R129. The other hand can do anything except stab, and the sheet says why."""
    paralysis = {**ONE_TURN, "hand": "L", "letter": ">"}
    position = duel(begun(">", "W", effects={"paralysis": paralysis}), ruleset=ruleset)
    right = sheet_hand(position, "R")
    assert allowed_letters(right) == "FPSWDC-"
    (barred,) = (option for option in right.gestures if not option.allowed)
    assert (barred.letter, barred.rule) == (">", "R129")
    assert barred.reason == "Your left hand must stab, and you have only one knife."
    faults = engine.play.check(position, ADA, engine.orders.from_fields(made("> >")))
    assert [fault.rule for fault in faults] == ["R129"]


@pytest.mark.parametrize("ruleset", STEPWISE_RULESETS)
def test_stepwise_sheet_does_not_forbid_a_second_stab(ruleset: str) -> None:
    """The second stab is accepted, but that hand does nothing. rules: R16"""
    position = duel(
        begun(">", "W", effects={"paralysis": {**ONE_TURN, "hand": "L", "letter": ">"}}),
        ruleset=ruleset,
    )
    assert sheet_hand(position, "L").forced == ">"
    assert allowed_letters(sheet_hand(position, "R")) == "FPSWDC>-"


@pytest.mark.parametrize("ruleset", SEALED_RULESETS)
def test_sheet_says_when_mind_spells_cancel_each_other(ruleset: str) -> None:
    """rules: R79"""
    paralysis = {**ONE_TURN, "hand": "L", "letter": "F"}
    position = duel(under_effects(fear=ONE_TURN, paralysis=paralysis), ruleset=ruleset)
    for side in "LR":
        free = sheet_hand(position, side)
        assert (free.forced, allowed_letters(free), free.rule) == ("", "FPSWDC>-", "R79")
        assert free.reason == "Paralysis and Fear cancel each other: your hands are free."
    assert sheet_hand(duel(under_effects(fear=ONE_TURN), ruleset=ruleset), "L").rule == "R87"


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_sheet_gives_no_reason_for_a_free_hand(ruleset: str) -> None:
    position = duel(under_effects(blindness=ONE_TURN, poison=ONE_TURN), ruleset=ruleset)
    for side in "LR":
        assert (sheet_hand(position, side).reason, sheet_hand(position, side).rule) == ("", "")
    sheet = engine.play.sheet(position, ADA)
    assert (sheet.reason, sheet.sets[0].reason) == ("", "")


# Haste and time stop


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_sheet_gives_haste_as_reason_for_a_second_set(ruleset: str) -> None:
    """The second set belongs to the same turn, to its own phase, or to its own turn.

    rules: R97, W9
    """
    position = duel(under_effects(haste={"turns": 3}), ruleset=ruleset)
    alone = ruleset in (*STEPWISE_RULESETS, "warlocks-1")
    if alone:
        position = position.copy()
        position.kind = HASTE
    sets = engine.play.sheet(position, ADA).sets
    assert len(sets) == (1 if alone else 2)
    assert {each.rule for each in sets} == {"W9" if ruleset == "warlocks-1" else "R97"}
    assert all("hasted" in each.reason for each in sets)


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_sheet_shows_mind_spells_in_every_set_with_reasons(ruleset: str) -> None:
    """rules: R88"""
    position = duel(under_effects(fear=ONE_TURN, haste={"turns": 3}), ruleset=ruleset)
    for each in engine.play.sheet(position, ADA).sets:
        assert is_explained(each.left)
        assert is_explained(each.right)


@pytest.mark.parametrize("ruleset", STEPWISE_RULESETS)
def test_sheet_says_why_an_unhasted_wizard_does_not_act_in_a_haste_phase(ruleset: str) -> None:
    position = duel({}, under_effects(haste={"turns": 3}), ruleset=ruleset).copy()
    position.kind = HASTE
    sheet = engine.play.sheet(position, ADA)
    assert (sheet.sets, sheet.rule) == ((), "R97")
    assert "hasted" in sheet.reason


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
@pytest.mark.parametrize("options", [(), ("strict",)])
def test_sheet_says_why_other_wizards_do_not_act_in_an_extra_turn(
    ruleset: str, options: tuple[str, ...]
) -> None:
    """Only time-stopped wizards make gestures, even in strict duels. rules: R98, W12"""
    position = duel(ruleset=ruleset, options=options).copy()
    position.kind, position.stopped = EXTRA, (BRAM,)
    resting, acting = engine.play.sheet(position, ADA), engine.play.sheet(position, BRAM)
    rule = "W12" if ruleset == "warlocks-1" else "R98"
    assert (resting.sets, resting.rule) == ((), rule)
    assert resting.reason
    assert (acting.reason, acting.sets[0].rule) == ("", rule)
    assert ("only spells cast in this turn count" in acting.sets[0].reason) == (rule == "W12")


def test_sheet_of_a_wizard_out_of_the_duel_gives_no_reason() -> None:
    after, _ = play_turn(duel(seats=3), ada=made("P P"))
    assert after.wizard(ADA).standing == "surrendered"
    assert engine.play.sheet(after, ADA).reason == ""
