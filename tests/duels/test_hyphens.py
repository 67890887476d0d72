"""Soft hyphens in long words of spell names, for narrow columns."""

import re

import engine.play
from duels.screens.parts.hyphens import SOFT_HYPHEN, SYLLABLES, hyphenated
from tests.cast import Cast, begin, hands, play, signed_in

LONG_WORD_LENGTH = 11  # number of letters; shorter words fit into a narrow column


def test_every_long_word_in_spell_names_has_soft_hyphens():
    rulesets = engine.play.RULESETS.values()
    books = [rules.spells for each in rulesets for rules in (each, *each.variants.values())]
    words = {word for book in books for spell in book.values() for word in spell.name.split()}
    long = {word for word in words if max(map(len, re.split("-", word))) >= LONG_WORD_LENGTH}
    assert long == set(SYLLABLES)
    for word, divided in SYLLABLES.items():
        assert divided.replace(SOFT_HYPHEN, "") == word
        assert divided.count(SOFT_HYPHEN) == 2


def test_only_long_words_have_soft_hyphens():
    assert hyphenated("Remove Enchantment") == "Remove En\u00adchant\u00adment"
    assert hyphenated("Summon Fire Elemental") == "Summon Fire Elemental"
    assert hyphenated("Counter-spell") == "Counter-spell"


def test_history_grid_and_order_sheet_use_soft_hyphens(cast: Cast):
    duel = begin(cast.ada, cast.bram, ruleset="warlocks-1", options=["maladroit"])
    for pair in ("DF", "SF"):
        play(duel, {cast.ada: hands(*pair), cast.bram: hands("-", "-")})
    ada = signed_in(cast.ada)
    page = ada.get(f"/duels/{duel.pk}/").content.decode()
    hints = re.findall(r'<span class="completes".*?</span>', page, re.DOTALL)
    assert any("Mal\u00adadroit\u00adness" in hint for hint in hints)
    play(duel, {cast.ada: hands("F", "-"), cast.bram: hands("-", "-")})
    page = ada.get(f"/duels/{duel.pk}/").content.decode()
    squares = re.findall(r"<td.*?</td>", page, re.DOTALL)
    assert any("Mal\u00adadroit\u00adness" in square for square in squares)
