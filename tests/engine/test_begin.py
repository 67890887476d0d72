"""Tests of wizards at the beginning of a duel: default names, pronoun suffixes, rejected names."""

import pytest

import engine.play
from engine.start.begin import SEAT_NAMES


def names_and_pronouns(*names: str) -> list[tuple[str, str]]:
    """Begin a duel without stating pronouns, and return each wizard's name and pronouns."""
    position = engine.play.begin("bartle-1", [engine.play.Duellist(name) for name in names])
    return [(wizard.name, wizard.pronouns) for wizard in position.wizards]


def test_wizard_without_a_name_gets_the_default_name_of_the_seat() -> None:
    """F3"""
    assert [name for name, _ in names_and_pronouns("", "", "")] == ["White", "Black", "Red"]
    assert [name for name, _ in names_and_pronouns(*[""] * 8)] == list(SEAT_NAMES)
    assert len(set(SEAT_NAMES)) == 8
    assert [name for name, _ in names_and_pronouns("Merlyn", "", "Ada")] == [
        "Merlyn",
        "Black",
        "Ada",
    ]


@pytest.mark.parametrize(
    ("given", "called"),
    [
        (("", "White"), ("Black", "White")),
        (("", "White", "Black", ""), ("Red", "White", "Black", "Green")),
        (("", "", "Black"), ("White", "Red", "Black")),
    ],
)
def test_default_name_that_another_wizard_has_chosen_is_skipped(
    given: tuple[str, ...], called: tuple[str, ...]
) -> None:
    assert tuple(name for name, _ in names_and_pronouns(*given)) == called


def test_pronoun_suffix_sets_the_pronouns_and_is_removed_from_the_name() -> None:
    """F5"""
    assert names_and_pronouns("Ada:f", "Bram:m", "Cleo:n", "Dorn:x", ":f") == [
        ("Ada", "she"), ("Bram", "he"), ("Cleo", "they"), ("Dorn", "it"), ("Blue", "she"),
    ]  # fmt: skip


def test_pronoun_suffix_overrides_the_pronouns_field() -> None:
    position = engine.play.begin(
        "bartle-1", [engine.play.Duellist("Ada:f", "it"), engine.play.Duellist("Bo", "he")]
    )
    assert [wizard.pronouns for wizard in position.wizards] == ["she", "he"]


@pytest.mark.parametrize(
    ("duellists", "fault"),
    [
        (
            [("Ada:q", "they"), ("Bo", "they")],
            "wizards[0].name: the suffix after the colon must be one of",
        ),
        ([("Ada", "they"), ("B:o:f", "they")], "wizards[1].name: a name can have a colon"),
        ([("Ada", "they"), ("Bo", "we")], "wizards[1].pronouns: must be one of he, she, they, it"),
        ([("Ada:f", "they"), ("Ada", "they")], "wizards: every wizard needs a name of their own"),
    ],
)
def test_begin_rejects_invalid_duellists(duellists: list[tuple[str, str]], fault: str) -> None:
    with pytest.raises(engine.play.InvalidData) as error:
        engine.play.begin("bartle-1", [engine.play.Duellist(*each) for each in duellists])
    assert str(error.value).startswith(fault)


@pytest.mark.parametrize("ruleset", engine.play.RULESETS)
def test_duel_begins_without_gestures_effects_banks_or_monsters(ruleset: str) -> None:
    """F6, F75, R115"""
    position = engine.play.begin(ruleset, [engine.play.Duellist(), engine.play.Duellist()])
    for wizard in position.wizards:
        assert (wizard.left, wizard.right, wizard.effects, wizard.bank) == ("", "", {}, "")
        assert not wizard.used_bolt
    assert position.monsters == []


@pytest.mark.parametrize("state", ["dead", "surrendered", "resigned", "forfeited", "removed"])
def test_setup_can_include_wizards_out_of_the_duel(state: str) -> None:
    """The wizards have died, surrendered, resigned, run out of time or been removed.

    rules: turn:resign, turn:forfeit, turn:removal
    """
    names = [engine.play.Duellist(name) for name in ("Ada", "Bram", "Cleo")]
    setup = {"wizards": [{}, {}, {"state": state}]}
    position = engine.play.begin("bartle-1", names, setup=setup)
    assert position.wizards[2].standing == state
    assert engine.play.deciding_wizards(position) == ("w0", "w1")
