"""Removal of invisible and unusual characters from text that people type."""

import pytest

from duels import errors
from duels.commands import challenges, speaking
from duels.loaded import adjudication
from duels.models import Duel, Orders, Speech
from duels.referees.cases.case_state import checked_text
from duels.referees.log.act_log import checked_reason
from duels.sealing.seals import decrypt_seal
from duels.typed_text import clean_line, clean_text, without_hidden_characters
from tests.cast import NOW, Cast, begin, challenge, hands, open_turn, seal

HIDDEN_CHARACTERS = {
    "override": "\u202e",
    "isolate": "\u2066",
    "left-to-right mark": "\u200e",
    "zero width space": "\u200b",
    "word joiner": "\u2060",
    "byte order mark": "\ufeff",
    "soft hyphen": "\u00ad",
    "tag": "\U000e0041",
    "grapheme joiner": "\u034f",
    "variation selector": "\ufe0f",
    "control": "\x07",
    "private": "\ue000",
}
BLANK_CHARACTERS = {
    "Hangul filler": "\u3164",
    "half-width filler": "\uffa0",
    "Braille blank": "\u2800",
}


@pytest.mark.parametrize("hidden", HIDDEN_CHARACTERS.values(), ids=HIDDEN_CHARACTERS)
def test_invisible_characters_are_removed_from_typed_text(hidden: str):
    assert clean_text(f"on{hidden}e {hidden}two{hidden}") == "one two"
    assert not clean_text(f" {hidden}\n")


@pytest.mark.parametrize("blank", BLANK_CHARACTERS.values(), ids=BLANK_CHARACTERS)
def test_blank_letters_in_typed_text_are_replaced_by_spaces(blank: str):
    assert clean_line(f"{blank}one{blank}{blank}two") == "one two"
    assert not clean_text(blank * 3)


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("\u0301one \u0301two", "one two"),
        ("z" + "\u0300" * 20, "z" + "\u0300" * 4),
        ("e\u0301", "\u00e9"),
        ("one\ttwo\r\nthree\u2028four\n\n\n\nfive", "one two\nthree\nfour\n\nfive"),
        ("a\u200db", "ab"),
    ],
)
def test_accents_and_line_breaks_in_typed_text_are_normalised(typed: str, stored: str):
    assert clean_text(typed) == stored


@pytest.mark.parametrize(
    "text",
    [
        "Well met!",
        "naïve",
        "שָׁלוֹם",
        "مُحَمَّد",
        "ผู้กล้า",
        "नमस्ते",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\u2764\ufe0f 1\ufe0f\u20e3",
        "\U0001f3f3\ufe0f\u200d\U0001f308",
        "\u0646\u0627\u0645\u0647\u200c\u0647\u0627",
        "\u0915\u094d\u200d\u0937",
    ],
)
def test_visible_typed_text_is_not_changed(text: str):
    assert without_hidden_characters(text) == text


@pytest.mark.django_db
def test_invisible_characters_are_removed_from_text_typed_into_any_form(cast: Cast):
    """The test tries messages, challenges, names of duels, orders, reasons and notes."""
    typed, stored = "Well \u202emet\u3164\u200b", "Well met"
    made = challenge(cast.ada, words=typed)
    assert Duel.objects.get(pk=made.pk).words == stored
    named = challenges.create_challenge(
        challenger=cast.ada,
        ruleset="bartle-1",
        size=2,
        pace="none",
        visibility="public",
        words="",
        opponent=None,
        invitation=True,
        name=typed,
        now=NOW,
    )
    assert named.name == stored
    duel = begin(cast.ada, cast.bram)
    speaking.send_message(duel_id=duel.pk, wizard=cast.ada, words=typed, now=NOW)
    assert Speech.objects.get(duel=duel).words == stored
    seal(duel, cast.ada, hands("W", "F", say=typed))
    row = Orders.objects.get(turn=open_turn(duel))
    assert decrypt_seal(row.body).orders["say"] == stored
    position = adjudication.position_after_departures(open_turn(duel))
    text = f"le\u200bft W\n\u2066right F\u2069\nSAY {typed}"
    assert adjudication.orders_from_text(position, "w0", text) == hands("W", "F", say=stored)
    assert checked_reason(typed) == checked_text(typed, 100) == stored


@pytest.mark.django_db
def test_invisible_messages_are_rejected_as_empty(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    for text in ("\u3164", "\u2800 \u200b", "\u0301"):
        with pytest.raises(errors.Refused) as refused:
            speaking.send_message(duel_id=duel.pk, wizard=cast.ada, words=text, now=NOW)
        assert refused.value.code == "no_words"
        with pytest.raises(errors.Refused):
            checked_reason(text)
