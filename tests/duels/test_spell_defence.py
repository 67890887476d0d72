"""Defences in the notes of spells, which must work when the engine plays them."""

import pytest

import engine.play
from duels.screens.parts.rules.spell_defence import defence_words
from engine.spellbook import Spell
from tests.engine.board import BRAM, begun, duel, play_turn

RULESET_IDS = tuple(engine.play.RULESETS)


def test_notes_name_the_spells_that_stop_return_or_end_a_spell():
    bartle = engine.play.RULESETS["bartle-1"]
    told = {id: defence_words(spell, bartle) for id, spell in bartle.spells.items()}
    assert told["missile"] == (
        "Stopped by Shield, Counter-spell, Dispel Magic or Protection from Evil. "
        "Sent back by Magic Mirror."
    )
    assert told["finger_of_death"] == "Stopped by Dispel Magic. Sent back by Magic Mirror."
    assert told["fire_storm"] == (
        "Stopped by Counter-spell or Dispel Magic. Resist Heat protects from it."
    )
    assert told["disease"].endswith("Ended by Remove Enchantment or Cure Heavy Wounds.")
    assert told["summon_goblin"] == (
        "Its attacks are stopped by Shield, Counter-spell or Protection from Evil."
    )
    assert told["summon_elemental"] == "Resist Heat or Resist Cold protects from it."
    assert told["shield"] == told["haste"] == told["cure_light_wounds"] == ""


@pytest.mark.parametrize("ruleset", RULESET_IDS)
def test_named_defences_prevent_damage(ruleset: str):
    """Ada casts each damaging spell on Bram, who casts each of the named defences on himself."""
    book = engine.play.RULESETS[ruleset].spells
    played = 0
    for spell in book.values():
        if spell.class_ != "damaging" or spell.gives_up:
            continue
        told = defence_words(spell, engine.play.RULESETS[ruleset])
        for guard in book.values():
            if guard.default == "self" and guard.name in told.split("Ended by")[0]:
                assert _damage_despite_defence(ruleset, spell) > 0, spell.id
                assert _damage_despite_defence(ruleset, spell, guard) == 0, (spell.id, guard.id)
                played += 1
    assert played > 15


def _damage_despite_defence(ruleset: str, spell: Spell, guard: Spell | None = None) -> int:
    """Return Bram's damage, or a larger number if he dies. Spells target their default subjects."""
    ada, last = _wizard_about_to_complete(spell)
    bram, guarding = _wizard_about_to_complete(guard) if guard else ({}, {})
    position = duel(ada, bram, ruleset=ruleset)
    after, _ = play_turn(position, ada=last, bram=guarding)
    hurt = after.wizard(BRAM)
    return hurt.damage if hurt.standing == "standing" else 99


def _wizard_about_to_complete(spell: Spell) -> tuple[dict[str, object], dict[str, str]]:
    """Return a wizard who needs one more gesture for this spell, and that gesture."""
    pattern = spell.patterns[0]
    left = pattern.upper()
    right = "".join(step.upper() if step.islower() else "-" for step in pattern)
    return dict(begun(left[:-1], right[:-1])), {"left": left[-1], "right": right[-1]}


def test_notes_name_only_spells_of_the_ruleset_as_defences():
    for ruleset in engine.play.RULESETS.values():
        for spell in ruleset.spells.values():
            assert "  " not in defence_words(spell, ruleset)
            assert "by ." not in defence_words(spell, ruleset)
