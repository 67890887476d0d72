"""Tests of orders as fields, whose names forms, faults and seals share."""

import pytest

from engine.json_values import InvalidData
from engine.orders import (
    MAX_MESSAGE_LENGTH,
    HandSet,
    KeyedField,
    Orders,
    SetField,
    fields,
    from_fields,
    order_field,
)

FULL_ORDERS = {
    "left": "S",
    "right": "C",
    "left2": ">",
    "right2": "P",
    "left_spell": "missile",
    "right_spell": "magic_mirror",
    "both_spell": "haste",
    "left_spell2": "fear",
    "right_spell2": "shield",
    "both_spell2": "ice_storm",
    "left_subject": "w1",
    "right_subject": "m0",
    "both_subject": "nowhere",
    "left_subject2": "R:w1",
    "right_subject2": "w0",
    "both_subject2": "w2",
    "victim:m0": "w1",
    "victim2:m0": "m3",
    "victim:BH2:w0": "w1",
    "victim:BANK:w0": "no_one",
    "charmed:w1.L": "F",
    "charmed2:w1.L": "-",
    "held:w1": "R",
    "release": "yes",
    "release_subject": "w1",
    "bank": "BH2",
    "permanency": "L",
    "sacrifice": "m0",
    "heart": "yes",
    "answer:elemental": "ice",
    "answer:paralysis": "R",
    "answer:charm_person": "L",
    "say": "Well met, Bram.\nDraw!",
}


def test_orders_with_every_field_round_trip_as_fields() -> None:
    orders = from_fields(FULL_ORDERS)
    assert fields(orders) == FULL_ORDERS
    assert from_fields(fields(orders)) == orders


def test_fields_are_converted_into_these_orders() -> None:
    orders = from_fields(FULL_ORDERS)
    assert orders == Orders(
        sets=(
            HandSet(
                "S", "C",
                {"L": "missile", "R": "magic_mirror", "BH": "haste"},
                {"L": "w1", "R": "m0", "BH": "nowhere"},
            ),
            HandSet(
                ">", "P",
                {"L": "fear", "R": "shield", "BH": "ice_storm"},
                {"L": "R:w1", "R": "w0", "BH": "w2"},
            ),
        ),
        victims={"m0": ("w1", "m3"), "BH2:w0": ("w1",), "BANK:w0": ("no_one",)},
        charmed={"w1.L": ("F", "-")},
        held={"w1": "R"},
        release=True,
        release_subject="w1",
        bank="BH2",
        permanency="L",
        sacrifice="m0",
        heart=True,
        answers={"elemental": "ice", "paralysis": "R", "charm_person": "L"},
        say="Well met, Bram.\nDraw!",
    )  # fmt: skip


@pytest.mark.parametrize("name", FULL_ORDERS)
def test_every_single_field_round_trips(name: str) -> None:
    flat = fields(from_fields({name: FULL_ORDERS[name]}))
    assert flat[name] == FULL_ORDERS[name]
    assert set(flat) - {name} <= {"left", "right", "left2", "right2"}


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("left", SetField("L")),
        ("both_spell2", SetField("BH", 2, "spell")),
        ("victim2:m12", KeyedField("victim", "m12", 2)),
        ("victim:BANK:w0", KeyedField("victim", "BANK:w0")),
        ("charmed2:w1.L", KeyedField("charmed", "w1.L", 2)),
        ("held:w1", KeyedField("held", "w1")),
        ("answer:charm_person", KeyedField("answer", "charm_person")),
    ],
)
def test_field_name_with_parts_round_trips(name: str, field: SetField | KeyedField) -> None:
    assert (order_field(name), field.text) == (field, name)


@pytest.mark.parametrize(
    "name", ["release", "both", "left3", "victim:w1", "charmed:+w1.L", "held:w8", "answer:wish"]
)
def test_invalid_field_name_has_no_parts(name: str) -> None:
    assert order_field(name) is None


def test_empty_fields_give_empty_orders() -> None:
    assert from_fields({}) == Orders()
    assert fields(Orders()) == {}
    assert from_fields({"left": "", "say": "", "victim:m0": ""}) == Orders()


def test_omitted_gesture_means_that_the_hand_does_nothing() -> None:
    assert from_fields({"right": "W"}).sets == (HandSet("-", "W"),)
    assert from_fields({"left2": "W"}).sets == (HandSet(), HandSet("W", "-"))
    assert from_fields({"both_subject2": "w1"}).sets == (HandSet(), HandSet(subjects={"BH": "w1"}))


def test_first_victim_is_the_default_if_only_the_second_is_ordered() -> None:
    assert from_fields({"victim2:m0": "w1"}).victims == {"m0": ("", "w1")}
    assert from_fields({"charmed2:w1.L": "F"}).charmed == {"w1.L": ("", "F")}


def test_orders_know_whether_they_contain_only_gestures_or_hands() -> None:
    assert from_fields({"left": "W"}).is_bare
    assert not from_fields({"left": "W", "left_spell": "shield"}).is_bare
    assert from_fields({"left": "W", "left_spell": "shield"}).is_hands_and_monsters_only
    assert not from_fields({"left": "W", "left2": "W"}).is_bare
    assert not from_fields({"victim:m0": FULL_ORDERS["victim:m0"]}).is_bare
    for name in ("charmed:w1.L", "release", "bank", "answer:paralysis", "say"):
        assert not from_fields({name: FULL_ORDERS[name]}).is_hands_and_monsters_only, name


TOO_LONG_VALUE = "x" * 41


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        pytest.param("left", "X", "must be one of F P S W D C > -", id="not a gesture"),
        pytest.param("right2", "WW", "must be one of", id="two gestures"),
        pytest.param("right", "w", "must be one of", id="lower-case letter"),
        pytest.param("charmed:w1.L", "K", "must be one of", id="not a gesture for a charmed hand"),
        pytest.param("middle", "W", "is not a field of orders", id="unknown hand"),
        pytest.param("both", "W", "is not a field of orders", id="both hands have no gesture"),
        pytest.param("left3", "W", "is not a field of orders", id="no third set"),
        pytest.param("left_spell3", "fear", "is not a field of orders", id="no third choice"),
        pytest.param("left_target", "w1", "is not a field of orders", id="unknown part"),
        pytest.param("victim:w1", "w0", "is not a field of orders", id="wizards obey nobody"),
        pytest.param("victim:L:w8", "w0", "is not a field of orders", id="no ninth seat"),
        pytest.param(
            "victim:X:w1", "w0", "is not a field of orders", id="unknown hand of a summons"
        ),
        pytest.param("victim3:m0", "w0", "is not a field of orders", id="no third attack"),
        pytest.param("charmed:w1", "F", "is not a field of orders", id="charmed hand is missing"),
        pytest.param("charmed:w1.BH", "F", "is not a field of orders", id="both hands charmed"),
        pytest.param("answer:weather", "rain", "is not a field of orders", id="unknown question"),
        pytest.param("answer:paralysis", "BH", "must be one of L, R", id="unknown answer"),
        pytest.param("answer:elemental", "water", "must be one of fire, ice", id="unknown element"),
        pytest.param("release", "no", "must be one of yes", id="release is yes or absent"),
        pytest.param("bank", "w1", "must be a hand", id="bank a hand's spell"),
        pytest.param("permanency", "L3", "must be a hand", id="permanency for a hand's spell"),
        pytest.param("left_spell", TOO_LONG_VALUE, "at most 40 characters", id="long value"),
        pytest.param(
            "say", "x" * (MAX_MESSAGE_LENGTH + 1), "at most 500 characters", id="long words"
        ),
        pytest.param("say", "bell\x07", "cannot be shown", id="control character"),
        pytest.param("say", "half \ud800", "cannot be shown", id="first surrogate"),
        pytest.param("say", "half \udfff", "cannot be shown", id="last surrogate"),
        pytest.param("left_spell", "fear\ud83d", "cannot be shown", id="surrogate in a choice"),
        pytest.param("left", 1, "must be a string", id="number"),
        pytest.param("left", None, "must be a string", id="null"),
        pytest.param("say", ["x"], "must be a string", id="list"),
    ],
)
def test_from_fields_errors_name_the_field(name: str, value: object, text: str) -> None:
    with pytest.raises(InvalidData, match=text) as refused:
        from_fields({"left": "W", "right": "P", name: value})
    assert refused.value.field == name


def test_error_messages_shorten_long_field_names() -> None:
    with pytest.raises(InvalidData) as refused:
        from_fields({"x" * 5000: "W"})
    assert refused.value.field == "x" * 40


def test_message_of_maximum_length_is_accepted() -> None:
    words = "é" * MAX_MESSAGE_LENGTH
    assert from_fields({"say": words}).say == words
    assert from_fields({"left_spell": TOO_LONG_VALUE[:40]}).sets[0].spells == {
        "L": TOO_LONG_VALUE[:40]
    }
