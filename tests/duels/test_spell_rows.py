"""Text about spells that are changed or new, so that no published ruleset has them."""

from dataclasses import replace
from typing import Any

import pytest

from duels.screens.parts.rules.spell_rows import spell_effect, spell_facts
from engine.rules_text.differences import differences
from engine.rulesets import BARTLE_1
from engine.rulesets.archmage import ARCHMAGE_1
from engine.spellbook import DefaultSubject, HandEffect, LegalSubjects, Spell, SpellClass
from tests import daily
from tests.engine.test_every_field import (
    ADVICE_FIELDS,
    PLAYED_RULESETS,
    TESTED_FIELDS,
    replacement_for,
    with_row,
)


@pytest.mark.parametrize("play", PLAYED_RULESETS)
@pytest.mark.parametrize("field", [name for name in TESTED_FIELDS if name not in ADVICE_FIELDS])
def test_changed_spell_has_a_different_text(play: str, field: str):
    """Spellbook and differences change, unless the changed spell is impossible in the ruleset.

    A third of the spells are changed each day.
    """
    ruleset = PLAYED_RULESETS[play]
    for spell in daily.sample(ruleset.spells.values(), 3, play, field):
        change: dict[str, Any] = {field: replacement_for(field, spell)}
        row = replace(spell, **change)
        try:
            changed = with_row(ruleset, row)
        except ValueError:
            continue
        assert spell_facts(row, changed) != spell_facts(spell, ruleset), spell.id
        assert differences(changed, ruleset), spell.id


def test_additional_remarks_follow_the_effect_of_a_spell():
    """rules: R54, R207"""
    assert spell_effect(ARCHMAGE_1.spells["raise_dead"], ARCHMAGE_1) == (
        "brings back a corpse, or cures 5 if the subject is alive; "
        "cannot be aimed at a dead wizard; will get past a Counter-spell"
    )


@pytest.mark.parametrize("legal", LegalSubjects)
def test_spellbook_has_a_text_for_every_restriction_of_subjects(legal: LegalSubjects):
    row = replace(BARTLE_1.spells["missile"], legal=legal)
    assert spell_facts(row, with_row(BARTLE_1, row)).legal_words


def test_spell_of_no_published_ruleset_is_described_from_its_data():
    imp = Spell("imp", "Imp", ("SSF",), SpellClass.SUMMONS, DefaultSubject.SELF, monster="ogre")
    sleep = Spell(
        "sleep",
        "Sleep",
        ("SSW",),
        SpellClass.ENCHANTMENT,
        DefaultSubject.OPPONENT,
        hands=HandEffect.REPEATED,
    )
    assert spell_effect(imp, BARTLE_1) == "2 damage a turn; 2 damage kills it"
    assert spell_effect(sleep, BARTLE_1) == "will make both hands repeat their gestures"
