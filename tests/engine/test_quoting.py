"""Tests of sentences quoted from the rules, and that missing rules cannot be quoted."""

import pytest

from engine.rules_text.quoting import fill_quotations, rulebook

DOCUMENT = """# Rules

About the file. It is left out.

## The turn

### R1 — Claps
A clap takes both hands. One alone is half a clap (R2), which
is worth nothing. *Source: Bartle §Gestures;
van Zoelen.*

**In wizards and warlocks instead:** A clap's worth is
nothing.

**In spellcast:** See R2.

## Rulings

### R2 — Halves
**In spellcast:** Half a clap e.g. breaks. So be it. *Source:
Plotkin's program.*
"""
BOOK = rulebook(DOCUMENT)


def test_rulebook_omits_sources_from_rules_and_notes() -> None:
    assert BOOK == {
        (
            "R1",
            "",
        ): "A clap takes both hands. One alone is half a clap (R2), which is worth nothing.",
        ("R1", "wizards"): "A clap’s worth is nothing.",
        ("R1", "warlocks"): "A clap’s worth is nothing.",
        ("R1", "spellcast"): "See R2.",
        ("R2", "spellcast"): "Half a clap e.g. breaks. So be it.",
    }


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("{R1}", "A clap takes both hands."),
        ("{R1, 2}", BOOK["R1", ""]),
        ("{R1 of warlocks} And so on.", "A clap’s worth is nothing. And so on."),
        ("{R2 of spellcast}", "Half a clap e.g. breaks."),
        (
            "{R1} {R2 of spellcast, 2}",
            "A clap takes both hands. Half a clap e.g. breaks. So be it.",
        ),
        ("No quotation.", "No quotation."),
    ],
)
def test_quotations_are_replaced_by_the_quoted_sentences(words: str, text: str) -> None:
    assert fill_quotations(words, BOOK) == text


@pytest.mark.parametrize("words", ["{R3}", "{R2}", "{R1 of archmage}"])
def test_missing_rule_cannot_be_quoted(words: str) -> None:
    with pytest.raises(KeyError):
        fill_quotations(words, BOOK)
