"""Tests of ids that consist of parts, and that only listed modules parse other text."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine
from engine.ids import (
    FUTURE_BEINGS,
    SET_HANDS,
    WIZARD_HANDS,
    FutureBeing,
    RulesetReading,
    SetHand,
    SpellWithPattern,
    WizardHand,
    is_monster,
    monster_id,
    monster_number,
    wizard_id,
)

ROOT = Path(engine.__file__).parent

PARSING_METHODS: dict[str, set[str]] = {
    "cli/input.py": {"rpartition"},  # the version in the id of a ruleset
    "cli/main.py": {"split"},  # lines of docstrings and errors
    "advice/orders_text.py": {"removeprefix"},  # clauses of sentences
    "start/begin.py": {"rpartition"},  # names with a suffix for pronouns. rules: F5
    "battles/words.py": {"split"},  # words of a document that can mean several spells
    "text_orders/naming.py": {"split", "startswith"},  # text from players
    "words/narrate.py": {"removesuffix"},  # sentences
    "words/templates.py": {"startswith"},  # sentences
    "text_orders/notation.py": {"split"},  # text for players
    "rules_text/quoting.py": {"split", "partition"},  # the rules of a document, and their sentences
    "text_orders/order_parser.py": {"split", "removesuffix"},  # text from players
    "proof/source.py": {"startswith", "removeprefix"},  # places in JSON text
    "proof/transcript.py": {"split"},  # lines of messages
}
"""Modules that parse text other than ids, such as names, sentences and players' orders."""


@pytest.mark.parametrize(
    ("text", "hand"),
    [("L", SetHand("L")), ("R2", SetHand("R", 2)), ("BH", SetHand("BH"))],
)
def test_id_of_a_hand_in_a_set_round_trips(text: str, hand: SetHand) -> None:
    assert (hand.text, SET_HANDS[text]) == (text, hand)


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("L2:w0", FutureBeing("w0", "L", 2)),
        ("BH:w7", FutureBeing("w7", "BH")),
        ("BANK:w1", FutureBeing("w1", "BANK")),
    ],
)
def test_id_of_a_future_being_round_trips(text: str, made: FutureBeing) -> None:
    """rules: R14"""
    assert (made.text, FUTURE_BEINGS[text]) == (text, made)


@pytest.mark.parametrize(
    ("text", "hand"),
    [("w1.L", WizardHand("w1", "L")), ("+w0.R", WizardHand("w0", "R", is_later=True))],
)
def test_id_of_a_wizards_hand_round_trips(text: str, hand: WizardHand) -> None:
    """rules: R81, R169"""
    assert (hand.text, WIZARD_HANDS[text]) == (text, hand)


def test_ids_with_parts_are_unambiguous() -> None:
    texts = [*SET_HANDS, *FUTURE_BEINGS, *WIZARD_HANDS]
    assert (len(SET_HANDS), len(FUTURE_BEINGS), len(WIZARD_HANDS)) == (6, 56, 32)
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("text", ["BANK2:w0", "L:w8", "L:m0", "L3:w0", ":w0", "L:", "L:w0:w1"])
def test_other_text_is_not_the_id_of_a_future_being(text: str) -> None:
    assert text not in FUTURE_BEINGS


def test_spell_id_can_include_a_pattern() -> None:
    for made in (SpellWithPattern("shield"), SpellWithPattern("counter_spell", "WWS")):
        assert SpellWithPattern.parse(made.text) == made
    assert SpellWithPattern("counter_spell", "WWS").text == "counter_spell/WWS"


def test_id_of_a_reading_contains_its_ruleset_and_switch() -> None:
    for reading in (
        RulesetReading("bartle-1", "merge", is_on=True),
        RulesetReading("bartle-1", "merge", False),
    ):
        assert RulesetReading.parse(reading.text) == reading
    assert RulesetReading.parse("bartle-1") is None


def test_ids_of_wizards_and_monsters_are_recognised() -> None:
    assert (wizard_id(3), monster_id(12)) == ("w3", "m12")
    assert monster_number("m12") == 12
    assert [is_monster(id) for id in ("m0", "w0", "L:w0", "nowhere", "")] == [True] + [False] * 4


def text_splitting_methods(source: str) -> Iterator[str]:
    """Yield the string methods called in this source that split text."""
    methods = {
        "split", "partition", "rpartition", "startswith", "endswith", "removeprefix",
        "removesuffix",
    }  # fmt: skip
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(attr=name)) if name in methods:
                yield name
            case _:
                pass


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: path.stem)
def test_only_listed_modules_parse_text(path: Path) -> None:
    module = str(path.relative_to(ROOT))
    if module != "ids.py":
        found = set(text_splitting_methods(path.read_text(encoding="utf-8")))
        assert found <= PARSING_METHODS.get(module, set())
