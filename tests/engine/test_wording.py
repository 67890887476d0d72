"""Tests of texts for hands, places, future beings and lists of names."""

import pytest

from engine.ids import FUTURE_BEINGS
from engine.legality.scope import ATTACKER, NO_ONE, NOWHERE
from engine.rules_text.wording import PLACE_WORDS, or_list
from engine.words import and_list, future_being_text, hand_text, versus_text, with_set_name


@pytest.mark.parametrize(
    ("names", "all_of_them", "one_of_them", "opposed"),
    [
        ([], "", "", ""),
        (["Ada"], "Ada", "Ada", "Ada"),
        (["Ada", "Bram"], "Ada and Bram", "Ada or Bram", "Ada against Bram"),
        (
            ["Ada", "Bram", "Cleo"],
            "Ada, Bram and Cleo",
            "Ada, Bram or Cleo",
            "Ada, Bram and Cleo",
        ),
    ],
)
def test_names_are_joined_as_a_list(
    names: list[str], all_of_them: str, one_of_them: str, opposed: str
) -> None:
    assert (and_list(names), or_list(names), versus_text(names)) == (
        all_of_them,
        one_of_them,
        opposed,
    )
    assert and_list(iter(names)) == all_of_them


def test_text_of_a_hand_names_the_second_set() -> None:
    assert [hand_text(hand) for hand in ("L", "R", "BH", "L2", "BH2")] == [
        "left hand",
        "right hand",
        "both hands",
        "left hand in the second set",
        "both hands in the second set",
    ]
    assert (with_set_name("Stab", 1), with_set_name("Stab", 2)) == (
        "Stab",
        "Stab in the second set",
    )


def test_future_being_is_named_after_the_hand_that_makes_it() -> None:
    keys = ("L", "R2", "BH", "BH2", "BANK")
    words = [future_being_text(f"{hand}:w1", {"w1": "Bram’s"}.__getitem__) for hand in keys]
    assert words == [
        "the monster that Bram’s left hand may summon",
        "the monster that Bram’s right hand may summon in the second set",
        "the monster that both Bram’s hands may summon",
        "the monster that both Bram’s hands may summon in the second set",
        "the monster that Bram’s banked spell may summon",
    ]


def test_every_hand_that_orders_can_name_has_a_different_text() -> None:
    adas = [key for key, made in FUTURE_BEINGS.items() if made.maker == "w0"]
    assert len({future_being_text(key, lambda maker: "your") for key in adas}) == len(adas) == 7


def test_every_place_in_orders_has_a_text() -> None:
    assert set(PLACE_WORDS) == {NOWHERE, NO_ONE, ATTACKER}


@pytest.mark.parametrize("text", ["L3", "x", "L:m0", "BANK2:w0", "left:w0", ":"])
def test_invalid_form_value_is_shown_unchanged(text: str) -> None:
    assert hand_text(text) == text
    assert future_being_text(text, lambda maker: "your") == text
