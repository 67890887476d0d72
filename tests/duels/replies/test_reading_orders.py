"""Orders in replies with additions or odd spellings."""

import pytest

from duels.models import Duel, Orders
from duels.replies.public import ReplyOutcome
from tests.cast import Cast, hands, play
from tests.duels.replies.writing import (
    answer_to,
    delivered_emails,
    last_answer_text,
    reply,
    sealed_fields,
)


@pytest.mark.parametrize(
    "text",
    [
        "left P.\nright W,", "- left P\n- right W", "*left P*\n**right:** W", "• left P\n* right W",
        "-\n\n   left P\n   *\n\n   right W",
        "left hand: P\nmy right hand W", "left = P\nright=W", "ＬＥＦＴ：Ｐ\nｒｉｇｈｔ　Ｗ",  # noqa: RUF001
        "le\u200dft P\nright\u2064 W", "\u202aleft P\u202c\nright \u2066W\u2069",
        "`left P`\n_right W_",
        "Hi Spellcaster,\n\nleft P\nright W\n\nAda", "Hallo,\nleft P\nright W\nAda Lovelace",
        "1. left P\n2. right W", "1)\n\nleft P\n2)\n\nright W",
        "left P\nright W\n[cid:logo.png@01CDD1]\n[image: Ada.png]", "left P\n<a.jpeg>\nright W",
        "left P\nright W\n\nAda K. Lovelace", "您好！\nleft P\nright W", "Szia!\nleft P\nright W",  # noqa: RUF001
        "Boa tarde,\nleft P\nright W", "Sehr geehrte Damen und Herren,\nleft P\nright W",
        "Goedemorgen\nleft P\nright W", "o left P\n§ right W", "▪ left P\n➢ right W",
        "left P\nright W\n\nGaranti sans virus. www.avast.com", "left P\nright W\n\nSin virus.",
        "left P\nright W\n\nБез вирусов.www.avast.com\n<https://www.avast.com/sig-email>",  # noqa: RUF001
        "left P\nright W\nhttps://ada.example.org/",
        "Dear all\nleft P\nright W\n- Ada", "left P\nright W\n\nVirus-free.www.avast.com",
        "CAUTION: This email originated from outside.\nDo not click links.\n\nleft P\nright W",
        "left P\nright W\n\nThis email and any attachments are confidential. If you\nhave"
        " received it in error, delete it.",
        "left P\nright W\n\nOriginal Message\nFrom: Spellcaster\nSent: Friday\nTo: Ada",
        "left P\nright W\n\nThis message and its attachments are confidential and only for\n\n"
        "its addressee. If this is not you, please tell us and delete it.",
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nleft P\nright W\n"
        "-----BEGIN PGP SIGNATURE-----\n\niQ=\n-----END PGP SIGNATURE-----",
    ],
    ids=str,
)  # fmt: skip
def test_orders_with_harmless_spellings_and_additions_are_accepted(
    cast: Cast, duel: Duel, text: str
):
    by = "Ada Lovelace <ada@example.org>"
    assert reply(duel, cast.ada, text, by=by) == ReplyOutcome.SEALED
    assert sealed_fields(duel, cast.ada) == {"left": "P", "right": "W"}


def test_typographic_variants_of_characters_are_read_as_gestures(cast: Cast, duel: Duel):
    text = "left ©\nright (c)\nSAY 10 © left"
    assert reply(duel, cast.ada, text) == ReplyOutcome.SEALED
    assert sealed_fields(duel, cast.ada) == {"left": "C", "right": "C", "say": "10 © left"}
    for number, dash in enumerate(["\u2010", "\N{EN DASH}", "\N{MINUS SIGN}", "\N{EM DASH}."], 2):
        assert reply(duel, cast.ada, f"left W\nright {dash}", number=number) == ReplyOutcome.SEALED
        assert sealed_fields(duel, cast.ada) == {"left": "W", "right": "-"}


@pytest.mark.parametrize(
    "line",
    [
        "rihgt W", "Ada left", "right", "right P now", "the right hand", "lW", "right -W",
        "3 right W",
    ],
)  # fmt: skip
def test_line_that_may_be_a_misspelt_order_is_rejected(cast: Cast, duel: Duel, line: str):
    assert reply(duel, cast.ada, f"left P\n{line}") == ReplyOutcome.UNREADABLE
    assert f"line 2: {line}" in answer_to(cast.ada)


def test_possible_order_below_an_added_sentence_is_not_ignored(cast: Cast, duel: Duel):
    banner = "CAUTION: this email comes from outside of your organisation"
    wrong = "leftt hand makes a palm and the right hand waves"
    for text in (f"{banner}\n\n{wrong}", f"left P\n{banner}\n\nrihgt W"):
        assert reply(duel, cast.ada, text, number=len(text)) == ReplyOutcome.UNREADABLE


@pytest.mark.parametrize("end", ["Best wishes to you!", "Ada", "Dear Bram", "Sent from my iPhone"])
def test_end_of_a_long_speech_on_another_line_is_not_ignored(cast: Cast, duel: Duel, end: str):
    speech = "SAY I, the great wizard of the north, send you with this letter my"
    text = f"left P\nright W\n{speech}\n{end}"
    assert reply(duel, cast.ada, text) == ReplyOutcome.UNREADABLE
    assert f"line 4: {end}" in answer_to(cast.ada)


def test_reply_that_would_leave_a_hand_without_a_gesture_must_be_confirmed(cast: Cast, duel: Duel):
    reply(duel, cast.ada, "left P\nright W")
    assert reply(duel, cast.ada, "left F", number=2) == ReplyOutcome.ASKED
    assert sealed_fields(duel, cast.ada) == {"left": "P", "right": "W"}
    assert "RH W" in last_answer_text(cast.ada)
    assert reply(duel, cast.ada, "left F", number=3) == ReplyOutcome.SEALED
    assert sealed_fields(duel, cast.ada) == {"left": "F", "right": "-"}
    assert reply(duel, cast.ada, "right S", number=4) == ReplyOutcome.ASKED
    assert reply(duel, cast.ada, "right S\nleft -", number=5) == ReplyOutcome.SEALED


def test_reply_with_an_order_below_a_divider_must_be_confirmed(cast: Cast, duel: Duel):
    assert reply(duel, cast.ada, "left P\n----\nright W") == ReplyOutcome.ASKED
    assert "right W" in last_answer_text(cast.ada)
    assert not Orders.objects.exists()
    assert reply(duel, cast.ada, "left P\nThanks!\nSAY hi", number=2) == ReplyOutcome.ASKED
    assert reply(duel, cast.ada, "left P\n----\nright W", number=3) == ReplyOutcome.SEALED
    assert sealed_fields(duel, cast.ada) == {"left": "P", "right": "-"}


def test_answer_quotes_orders_if_all_of_them_were_below_a_divider(cast: Cast, duel: Duel):
    assert reply(duel, cast.ada, "----\nleft P") == ReplyOutcome.EMPTY
    assert "left P" in last_answer_text(cast.ada)


def test_reply_that_quotes_the_unchanged_turn_email_needs_no_confirmation(cast: Cast, duel: Duel):
    for left, right in (("S", "P"), ("F", "S"), ("F", "W")):
        play(duel, {cast.ada: hands(left, right), cast.bram: hands(right, left)})
    message = delivered_emails(cast.ada)[-1]
    assert "Spells your hands can complete" in str(message.body)
    for number, start in enumerate(["", "From: Spellcaster\n\n", "----\n"]):
        text = f"left P\nright W\n\n{start}{message.body}"
        assert reply(duel, cast.ada, text, number=number) == ReplyOutcome.SEALED
        assert sealed_fields(duel, cast.ada) == {"left": "P", "right": "W"}
    edited = str(message.body).replace("right -", "right F", 1)
    text = f"left P\nright W\n\nFrom: Spellcaster\n\n{edited}"
    assert reply(duel, cast.ada, text, number=9) == ReplyOutcome.ASKED


def test_reply_that_is_too_long_to_read_must_be_confirmed(cast: Cast, duel: Duel):
    text = "left P\n" + "\n" * 600 + "right W"
    assert reply(duel, cast.ada, text) == ReplyOutcome.ASKED
    assert "too long" in last_answer_text(cast.ada)
