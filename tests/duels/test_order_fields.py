"""Names of the fields of an order form, and order fields as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duels.screens.order_sheet.order_words import orders_as_pairs
from duels.wording.order_fields import UNKNOWN_FIELD, OrderField, order_field
from engine.orders import HandSet, Orders, fields, from_fields

ORDERS_WITH_ALL_FIELDS = Orders(
    sets=(
        HandSet("W", "S", {"L": "shield"}, {"L": "w1", "BH": "m3"}),
        HandSet("C", "C", {"BH": "fire_storm", "R": "missile"}, {"R": "L2:w0"}),
    ),
    victims={"m3": ("w1", "no_one"), "L2:w0": ("w1",), "BANK:w0": ("nowhere",)},
    charmed={"w1.L": ("F", "P"), "w2.R": ("S",)},
    held={"w2": "L"},
    release=True,
    release_subject="w1",
    bank="R2",
    permanency="L",
    sacrifice="m3",
    heart=True,
    answers={"elemental": "ice", "paralysis": "L", "charm_person": "R"},
    say="Good evening",
)
NAMES = {"w0": "Ada", "w1": "Bram", "w2": "Cleo", "m3": "Red Goblin"}
SPELLS = {"shield": "Shield", "missile": "Missile", "fire_storm": "Fire Storm"}


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("left", OrderField("gesture", "L")),
        ("right2", OrderField("gesture", "R", 2)),
        ("both_spell", OrderField("spell", "BH")),
        ("left_subject2", OrderField("subject", "L", 2)),
        ("victim:m3", OrderField("victim", about="m3")),
        ("victim2:L2:w0", OrderField("victim", number=2, about="L2:w0")),
        ("charmed2:w1.R", OrderField("charmed", "R", 2, "w1")),
        ("answer:paralysis", OrderField("answer", about="paralysis")),
        ("held:w2", OrderField("held", about="w2")),
        ("heart", OrderField("heart")),
        ("release_subject", OrderField("release_subject")),
        ("no such field", OrderField(UNKNOWN_FIELD, about="no such field")),
        ("both", OrderField(UNKNOWN_FIELD, about="both")),
        ("held:", OrderField(UNKNOWN_FIELD, about="held:")),
        ("victim2:", OrderField(UNKNOWN_FIELD, about="victim2:")),
    ],
)
def test_order_field_name_is_parsed_and_written(name: str, field: OrderField) -> None:
    assert order_field(name) == field
    assert field.name == name


NAME_PARTS = st.sampled_from(
    [
        "gesture",
        "spell",
        "subject",
        "victim",
        "charmed",
        "held",
        "answer",
        "unknown",
        "left",
        "right",
        "both",
        "_spell",
        "_subject",
        "2",
        "3",
        ":",
        ".",
        "w1",
        "m0",
        "L",
        "BANK",
        "say",
        "paralysis",
        "\n",
        "\u0661",
    ]
)


@given(st.lists(NAME_PARTS | st.text(max_size=3), min_size=1, max_size=5).map("".join).filter(bool))
def test_incomplete_field_names_are_kept_and_shown(name: str) -> None:
    """A name without its other parts, such as "subject", used to cause an error page."""
    assert order_field(name).name == name
    ((label, value),) = orders_as_pairs({name: "w1"}, NAMES, SPELLS)
    assert label
    assert "w1" in value or value in ("Bram", "“w1”")


def test_field_names_of_complete_orders_do_not_change_when_parsed_and_written() -> None:
    flat = fields(ORDERS_WITH_ALL_FIELDS)
    assert from_fields(flat) == ORDERS_WITH_ALL_FIELDS
    assert len(flat) == 28
    assert [order_field(name).name for name in flat] == list(flat)


def test_orders_as_text_are_in_the_order_of_the_sheet() -> None:
    assert orders_as_pairs(fields(ORDERS_WITH_ALL_FIELDS), NAMES, SPELLS) == [
        ("Left hand", "W wave"),
        ("Left hand in the second set", "C clap"),
        ("Right hand", "S snap"),
        ("Right hand in the second set", "C clap"),
        ("Left hand casts", "Shield"),
        ("Right hand casts in the second set", "Missile"),
        ("Both hands cast in the second set", "Fire Storm"),
        ("Left hand’s subject", "Bram"),
        (
            "Right hand’s subject in the second set",
            "the monster that Ada’s left hand may summon in the second set",
        ),
        ("Both hands’ subject", "Red Goblin"),
        ("Release the banked spell", "yes"),
        ("Subject of the banked spell", "Bram"),
        ("Bank this hand’s spell", "right hand in the second set"),
        ("Make this hand’s spell permanent", "left hand"),
        ("Monster to sacrifice", "Red Goblin"),
        ("Stop your own heart", "yes"),
        ("If asked, summon an elemental of", "ice"),
        ("If asked, paralyse", "the left hand"),
        ("If asked, charm", "the right hand"),
        ("Bram’s left hand", "F fingers"),
        ("Bram’s left hand in the second set", "P palm"),
        ("Cleo’s right hand", "S snap"),
        ("Cleo’s hand to paralyse", "left hand"),
        ("The monster that Ada’s banked spell may summon attacks", "nobody"),
        ("The monster that Ada’s left hand may summon in the second set attacks", "Bram"),
        ("Red Goblin attacks", "Bram"),
        ("Red Goblin attacks again", "nobody"),
        ("Say", "“Good evening”"),
    ]


def test_unknown_order_fields_and_values_are_shown_unchanged() -> None:
    typed = {"no such field": "1", "left": "X", "victim:": "w9", "charmed:w1.L": "", "say": "Hm"}
    typed |= {"left_subject": "x:y", "bank": "ZZ", "release_subject": "L:m0"}
    assert orders_as_pairs(typed, NAMES, SPELLS) == [
        ("Left hand", "X"),
        ("Left hand’s subject", "x:y"),
        ("Subject of the banked spell", "L:m0"),
        ("Bank this hand’s spell", "ZZ"),
        ("no such field", "1"),
        ("victim:", "w9"),
        ("Say", "“Hm”"),
    ]
