"""Tests of the list of a ruleset's differences from Bartle's rules."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from enum import StrEnum
from typing import Any

import pytest

from engine.rules_text.differences import FIELD_WORDINGS, differences
from engine.rules_text.play_text import (
    DIFFERENCES_OF_PLAY,
    MANUAL_ADMITS_FAULT,
    MANUAL_IS_CONTRADICTED,
    MANUAL_IS_SILENT,
    Difference,
)
from engine.rules_text.quoting import fill_quotations
from engine.rules_text.ruleset_text import SWITCHES, SwitchText
from engine.rulesets import BARTLE_1, RULESETS
from engine.rulesets.archmage import ARCHMAGE_1
from engine.rulesets.ruleset import Ruleset, make_ruleset
from engine.rulesets.spellcast import SPELLCAST_1
from engine.rulesets.unsupported_values import REQUIRED_VALUES
from engine.rulesets.warlocks import WARLOCKS_1
from engine.rulesets.wizards import WIZARDS_1
from engine.spellbook import (
    BARTLE_SPELLBOOK,
    AffectedBeings,
    CasterDecision,
    DefaultSubject,
    Duration,
    HandEffect,
    LegalSubjects,
    Spell,
    SpellClass,
    VictimEffect,
    revised_spellbook,
)
from tests.engine.rulebook import RULEBOOK, RULES

# Fields of a ruleset without sentences: those that identify it, those that introduce it before
# turn 1, and those that follow from other fields.
FIELDS_WITHOUT_SENTENCES = {
    "id", "name", "description", "spells", "automaton", "completables", "ends", "asks", "opening",
    "variants",
}  # fmt: skip
# Fields of a spell that have the same value in every book, because its phase depends on them.
FIELDS_FIXED_BY_PHASE = {"class_", "mind", "takes_over", "gives_up"}

# For each field of a spell's row, a value that differs from most rows.
OTHER_VALUES: dict[str, Any] = {
    "name": "Umbrella",
    "patterns": ("FFPP",),
    "class_": SpellClass.ENCHANTMENT,
    "default": DefaultSubject.OPPONENT,
    "works": AffectedBeings.WIZARDS,
    "lasts": Duration.THREE_TURNS,
    "amount": 4,
    "monster": "goblin",
    "mind": True,
    "can_be_permanent": True,
    "on_corpses": False,
    "on_dead_wizards": True,
    "nowhere": False,
    "aimable": True,
    "once_by": "P",
    "legal": LegalSubjects.OPPONENTS,
    "reflectable": False,
    "counterable": False,
    "shieldable": True,
    "element": "fire",
    "resists": "ice",
    "destroys": ("ogre", "ice"),
    "heals": ("poison",),
    "removable": False,
    "helps": True,
    "harms": True,
    "slays": True,
    "raises": True,
    "gives_up": True,
    "takes_over": True,
    "one_master": True,
    "asks": CasterDecision.HAND,
    "hands": HandEffect.REPEATED,
    "victims": VictimEffect.DRAWN,
}


def sentences(ruleset: Ruleset) -> list[str]:
    return [difference.text for difference in differences(ruleset)]


def sentences_about_spell(lines: Iterable[Difference], spell: str) -> list[str]:
    """Return the differences that concern this spell, as sentences."""
    return [line.text for line in lines if spell in line.spells]


def test_differences_cover_every_field_of_a_ruleset() -> None:
    described = SWITCHES.keys() | FIELDS_WITHOUT_SENTENCES | {"order_of_play"}
    assert {field.name for field in fields(Ruleset) if field.init} == described


def test_differences_cover_every_field_of_a_spell() -> None:
    assert {
        field.name for field in fields(Spell) if field.init
    } == FIELD_WORDINGS.keys() | FIELDS_FIXED_BY_PHASE | {"id"}


def test_differences_cover_every_order_of_play_except_bartles() -> None:
    plays = {ruleset.order_of_play for ruleset in RULESETS.values()} - {BARTLE_1.order_of_play}
    assert plays <= DIFFERENCES_OF_PLAY.keys()


def test_different_switch_values_have_different_sentences() -> None:
    """Rulesets with different values of a switch are described differently."""
    for name, switch in SWITCHES.items():
        values = [getattr(ruleset, name) for ruleset in RULESETS.values()]
        told_by = {repr(value): switch.sentence_for(value) for value in values}
        assert len(set(told_by.values())) == len(told_by), name


FURTHER_VALUES: dict[str, tuple[Any, ...]] = {
    "asks": (CasterDecision.NOTHING,),
    "resists": ("",),
    "slays": (False,),
    "takes_over": (False,),
}


def rulesets_with_changed_row(field: str) -> Iterator[tuple[Ruleset, Spell]]:
    """Yield each valid ruleset with a different value for the field in one row, and that row."""
    rows = [
        (place, spell, replace(spell, **{field: value}))
        for value in (OTHER_VALUES[field], *FURTHER_VALUES.get(field, ()))
        for place, spell in enumerate(BARTLE_SPELLBOOK)
    ]
    for place, spell, row in rows:
        if getattr(row, field) == getattr(spell, field):
            continue
        book = [*BARTLE_SPELLBOOK[:place], row, *BARTLE_SPELLBOOK[place + 1 :]]
        with suppress(ValueError):
            yield make_ruleset("changed-1", name="Changed", description="", spells=book), row


@pytest.mark.parametrize("field", sorted(FIELDS_FIXED_BY_PHASE))
def test_rulesets_reject_other_values_in_fields_that_phases_determine(field: str) -> None:
    assert list(rulesets_with_changed_row(field)) == []


@pytest.mark.parametrize("field", sorted(OTHER_VALUES.keys() - FIELDS_FIXED_BY_PHASE))
def test_difference_in_a_spells_field_is_listed(field: str) -> None:
    changed, row = next(rulesets_with_changed_row(field))
    lines = sentences_about_spell(differences(changed), row.id)
    assert len(lines) == 1
    assert lines[0].startswith(row.name)


@pytest.mark.parametrize(
    "name", [n for n, told in SWITCHES.items() if isinstance(told, SwitchText)]
)
def test_difference_in_a_switch_is_described_by_its_value(name: str) -> None:
    switch = SWITCHES[name]
    assert isinstance(switch, SwitchText)
    assert switch.on != switch.off
    value = getattr(BARTLE_1, name)
    values = [type(value)(), *(getattr(each, name) for each in RULESETS.values())]
    other = not value
    if not isinstance(value, bool):
        other = next(each for each in values if bool(each) != bool(value))
    change: dict[str, Any] = {name: other}
    assert sentences(replace(BARTLE_1, **change)) == [switch.sentence_for(other)]


SENTENCES_BY_SWITCH: dict[str, Mapping[StrEnum, str]] = {
    name: told.sentences
    for name, told in SWITCHES.items()
    if not isinstance(told, SwitchText) and isinstance(told.sentences, Mapping)
}


@pytest.mark.parametrize("name", SENTENCES_BY_SWITCH)
def test_every_value_of_a_field_has_its_own_sentence(name: str) -> None:
    offer = SENTENCES_BY_SWITCH[name]
    values: type[StrEnum] = type(getattr(BARTLE_1, name))
    assert list(offer) == list(values)
    assert len(set(offer.values())) == len(offer) > 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (name, value)
        for name, offer in SENTENCES_BY_SWITCH.items()
        for value in offer
        if value != getattr(BARTLE_1, name) and name not in REQUIRED_VALUES[BARTLE_1.order_of_play]
    ],
)
def test_difference_in_the_value_of_a_field_is_described(name: str, value: StrEnum) -> None:
    changes: dict[str, Any] = {name: value}
    assert sentences(replace(BARTLE_1, **changes)) == [SENTENCES_BY_SWITCH[name][value]]


@pytest.mark.parametrize(
    ("change", "rule", "words"),
    [
        ({"paralysed": {"F": "C"}}, "R80", "A paralysed hand makes C after F, and repeats"),
        ({"under_fear": "PF"}, "R87", "A frightened hand can only make palm and fingers."),
        ({"confused": "FPS"}, "spell:confusion", "gesture shows F P S."),
    ],
)
def test_difference_in_a_table_of_gestures_is_described(
    change: dict[str, Any], rule: str, words: str
) -> None:
    (line,) = differences(replace(BARTLE_1, **change))
    assert words in line.text
    assert line.rule == rule


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"amount": 3}, "A stab deals 3 points of damage."),
        ({"legal": LegalSubjects.ANY}, "at any being, including the stabber,"),
        ({"legal": LegalSubjects.OPPONENTS}, "at other wizards,"),
        ({"nowhere": True}, "can be made without a target or aimed at"),
        ({"on_corpses": False}, "but not at corpses"),
        ({"legal": LegalSubjects.ANY, "default": DefaultSubject.SELF}, "it goes at the stabber"),
    ],
)
def test_difference_in_stabs_is_described(change: dict[str, Any], words: str) -> None:
    """rules: R17"""
    (line,) = differences(replace(BARTLE_1, stab=replace(BARTLE_1.stab, **change)))
    assert words in line.text
    assert line.rule == "R17"


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_every_difference_is_a_sentence_and_cites_a_rule(ruleset: Ruleset) -> None:
    lines = [(fill_quotations(line.text, RULEBOOK), line.rule) for line in differences(ruleset)]
    assert len(dict(lines)) == len(lines)
    for text, rule in lines:
        assert rule in RULES, text
        assert text.endswith("."), text


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_quoted_sentence_can_be_understood_by_itself(ruleset: Ruleset) -> None:
    """A quoted sentence cites no rules and has no Markdown, so that any page can show it."""
    for line in differences(ruleset):
        text = fill_quotations(line.text, RULEBOOK)
        if text != line.text:
            assert not re.search(r"[`*{}]|\b[RSW]\d|\bsee\b", text), text
            assert text[0].isupper(), text


def test_bartle_has_no_differences_from_itself() -> None:
    assert differences(BARTLE_1) == ()


def test_wizards_spellbook_differences() -> None:
    lines = differences(WIZARDS_1)
    assert sentences_about_spell(lines, "summon_elemental") == ["There is no Summon Elemental."]
    assert sentences_about_spell(lines, "sacrifice") == [
        "Sacrifice is a new spell, made with D-W-F-F-d and cast at the opponent by default."
        " It does nothing unless the duel uses the house rule for it."
    ]
    assert "Anti-spell is made with S-P-F-P." in sentences(WIZARDS_1)
    assert "Time Stop is made with S-P-P-c or S-P-P-F-D." in sentences(WIZARDS_1)
    assert "Magic Missile is the name of Missile here." in sentences(WIZARDS_1)
    assert [line.text for line in lines if line.rule == "R8"] == ["Every spell must have a target."]


def test_no_warlocks_spell_needs_a_target() -> None:
    """rules: R8, W3"""
    told = [line.text for line in differences(WARLOCKS_1) if line.rule == "R8"]
    assert told == ["No spell needs a target."]


def test_archmage_spellbook_differences() -> None:
    assert sentences_about_spell(differences(ARCHMAGE_1), "anti_spell") == [
        "Anti-spell can only be aimed at other wizards, never at its caster or a monster."
    ]


def test_spells_with_the_same_difference_share_a_sentence() -> None:
    lines = differences(SPELLCAST_1)
    (summons,) = {
        line.text for line in lines if "summon_goblin" in line.spells and line.rule == "R61"
    }
    assert "Summon Goblin, Summon Ogre, " in summons
    assert summons.endswith(" can only be aimed at wizards.")


def test_difference_in_most_spells_names_only_the_exceptions() -> None:
    (corpses,) = [line for line in differences(SPELLCAST_1) if line.rule == "R150"]
    assert corpses.text == "Only Raise Dead can be aimed at a corpse."


def test_difference_in_time_stop_is_described_in_both_directions() -> None:
    """rules: R99"""
    assert any("three extra actions before later turns" in text for text in sentences(ARCHMAGE_1))
    back = [line.text for line in differences(BARTLE_1, ARCHMAGE_1)]
    assert "Time Stop will give an extra turn at once." in back


def test_differences_can_compare_any_two_rulesets() -> None:
    fewer = make_ruleset(
        "fewer-1",
        name="Fewer",
        description="",
        spells=revised_spellbook(BARTLE_SPELLBOOK, {}, without=["shield"]),
    )
    assert [line.text for line in differences(BARTLE_1, fewer)] == [
        "Shield is a new spell, made with P and cast on its caster by default."
    ]
    assert sentences(fewer) == ["There is no Shield."]


def test_spellcast_differences_state_how_far_the_manual_agrees() -> None:
    """The manual admits four of the differences as faults and contradicts one. rules: F79"""
    trusts = [line.trust for line in DIFFERENCES_OF_PLAY[SPELLCAST_1.order_of_play]]
    assert (trusts.count(MANUAL_ADMITS_FAULT), trusts.count(MANUAL_IS_CONTRADICTED)) == (4, 1)
    assert set(trusts) == {"", MANUAL_ADMITS_FAULT, MANUAL_IS_CONTRADICTED, MANUAL_IS_SILENT}
