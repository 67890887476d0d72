"""Orders by email reply, which are sealed like those from the page or rejected with a reason."""

import base64
import logging
import re
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from email.utils import parseaddr
from itertools import count

import pytest
from django.core.mail import EmailMultiAlternatives
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import Settings

import engine.play
import engine.words
from duels.caching.poll_cache import mark_wizard_on_site
from duels.commands import endings, resolution, sealing
from duels.loaded import adjudication
from duels.loaded.adjudication import orders_as_sentences
from duels.models import Duel, Orders, Seat, Stage, Turn, Wizard
from duels.post import public as post
from duels.post.kinds.reminder import Reminder
from duels.post.models import Notice
from duels.post.public import make_reply_address, parse_reply_address
from duels.post.signed_addresses import make_signed_address
from duels.replies import commands as reading
from duels.replies.message import UnreadableMail, parse_email
from duels.replies.models import Reply
from duels.replies.own_text import join_flowed_lines, own_text
from duels.replies.public import ReplyOutcome, receive_email
from duels.sealing.seals import decrypt_seal
from engine.orders import from_fields
from engine.play import load_position
from tests import daily
from tests.cast import LATER, NOW, Cast, begin, hands, open_turn, play, seal
from tests.duels.replies.writing import (
    address_of,
    answer_to,
    answers_to,
    mails,
    page_html,
    reply,
    written,
)
from tests.states import STATES, People


@pytest.fixture
def duel(cast: Cast) -> Duel:
    return begin(cast.ada, cast.bram)


def sealed(duel: Duel, wizard: Wizard) -> dict[str, str]:
    """Return the orders that the wizard has sealed for the open turn."""
    turn = open_turn(duel)
    row = Orders.objects.get(turn=turn, seat__wizard=wizard, superseded=False)
    return decrypt_seal(row.body).orders


def test_reply_seals_orders_and_gets_a_receipt(cast: Cast, duel: Duel):
    assert reply(duel, cast.ada, "left P\nright: W\n\nOn Sat, Bram wrote:\n> left F") == "sealed"
    assert sealed(duel, cast.ada) == {"left": "P", "right": "W"}
    answer = answer_to(cast.ada)
    assert answer.startswith("Orders sealed: turn 1 against Bram")
    position = open_turn(duel).position
    words = orders_as_sentences(load_position(position), "w0", from_fields(hands("P", "W")))
    assert words
    assert all(f" {sentence} " in " ".join(answer.split()) for sentence in words)
    row = Orders.objects.get(turn=open_turn(duel))
    assert row.commitment in answer  # the receipt contains the commitment
    assert "/proof/" in answer
    assert not Seat.objects.get(duel=duel, wizard=cast.ada).awaited


def test_reply_that_seals_orders_marks_news_of_the_turn_as_read(cast: Cast, duel: Duel):
    news = Notice.objects.filter(wizard=cast.ada, is_unread=True)
    reply(duel, cast.ada, "What is this?")
    assert news.exists()
    reply(duel, cast.ada, "left P\nright W", number=2)
    assert not news.exists()
    assert Notice.objects.filter(wizard=cast.bram, is_unread=True).exists()


def test_orders_by_reply_have_the_same_fields_as_orders_from_the_page(cast: Cast, duel: Duel):
    """Both ways of giving orders store the same fields."""
    reply(duel, cast.ada, "left P\nright W\nSAY Well met")
    by_mail = sealed(duel, cast.ada)
    seal(duel, cast.bram, hands("P", "W", say="Well met"))
    assert by_mail == sealed(duel, cast.bram)


def test_later_reply_replaces_the_sealed_orders(cast: Cast, duel: Duel):
    reply(duel, cast.ada, "left P\nright W")
    assert reply(duel, cast.ada, "left F\nright S", number=2) == ReplyOutcome.SEALED
    assert sealed(duel, cast.ada) == {"left": "F", "right": "S"}
    assert Orders.objects.filter(seat__wizard=cast.ada).count() == 2


def test_both_wizards_can_play_a_turn_by_email(cast: Cast, duel: Duel):
    first = open_turn(duel)
    reply(duel, cast.ada, "left P\nright W")
    reply(duel, cast.bram, "left F\nright S")
    resolution.resolve_turn(turn_id=first.pk, now=NOW)
    first.refresh_from_db()
    assert first.stage == Stage.RESOLVED


def test_answer_quotes_an_unreadable_line_and_the_old_seal_is_kept(cast: Cast, duel: Duel):
    seal(duel, cast.ada, hands("F", "S"))
    assert reply(duel, cast.ada, "left P\nrihgt W") == ReplyOutcome.UNREADABLE
    assert sealed(duel, cast.ada) == {"left": "F", "right": "S"}
    answer = answer_to(cast.ada)
    assert answer.startswith("Not sealed: turn 1 against Bram")
    assert "line 2: rihgt W" in answer
    assert "Anything you had sealed before is unchanged." in answer


def test_at_most_ten_unreadable_lines_are_listed(cast: Cast, duel: Duel):
    reply(duel, cast.ada, "\n".join(f"dear {n}" for n in range(30)))
    answer = answer_to(cast.ada)
    assert answer.count("  line ") == 10
    assert "More lines like these, not listed here: 20." in answer


def test_answer_to_illegal_orders_lists_the_errors(cast: Cast, duel: Duel):
    assert reply(duel, cast.ada, "left P\nright W\nleft Fireball") == ReplyOutcome.ILLEGAL
    assert not Orders.objects.exists()
    answer = answer_to(cast.ada)
    assert answer.startswith("Not sealed: turn 1 against Bram")
    assert "are against the" in answer
    assert "Fireball" in answer


def test_surrender_by_reply_must_be_confirmed_by_an_identical_reply(cast: Cast, duel: Duel):
    assert reply(duel, cast.ada, "left P\nright P") == ReplyOutcome.ASKED
    assert not Orders.objects.exists()
    answer = answer_to(cast.ada)
    assert answer.startswith("Not sealed yet, please confirm: turn")
    assert "Both palms are a surrender" in answer
    assert "send the same orders again" in answer
    assert reply(duel, cast.ada, "R: P\nL: P", number=2) == ReplyOutcome.SEALED
    assert sealed(duel, cast.ada) == {"left": "P", "right": "P"}


def test_surrender_that_is_already_sealed_needs_no_confirmation(cast: Cast, duel: Duel):
    seal(duel, cast.ada, hands("P", "P"))
    assert reply(duel, cast.ada, "left P\nright P") == ReplyOutcome.SEALED


def test_changed_orders_must_be_confirmed_again(cast: Cast, duel: Duel):
    reply(duel, cast.ada, "left P\nright P")
    assert reply(duel, cast.ada, "left P\nright P\nSAY Enough", number=2) == ReplyOutcome.ASKED
    assert reply(duel, cast.ada, "left P\nright W", number=3) == ReplyOutcome.SEALED
    assert reply(duel, cast.ada, "left P\nright P", number=4) == ReplyOutcome.SEALED


def test_confirmation_is_valid_only_for_the_same_turn(cast: Cast, duel: Duel):
    reply(duel, cast.ada, "left P\nright P")
    play(duel, {cast.ada: hands("W", "F"), cast.bram: hands("W", "F")})
    assert reply(duel, cast.ada, "left P\nright P", number=2) == ReplyOutcome.ASKED


def test_empty_reply_is_answered(cast: Cast, duel: Duel):
    assert reply(duel, cast.ada, "On Sat, Spellcaster wrote:\n> left P\n> right W") == "empty"
    assert reply(duel, cast.ada, "# nothing yet", number=2) == ReplyOutcome.EMPTY
    assert len(answers_to(cast.ada)) == 2


def test_reply_to_a_played_turn_is_rejected(cast: Cast, duel: Duel):
    to = make_reply_address(cast.ada.pk, open_turn(duel).pk)
    play(duel, {cast.ada: hands("W", "F"), cast.bram: hands("W", "F")})
    assert receive_email(raw=written("left P\nright W", to), now=NOW) == ReplyOutcome.REFUSED
    assert "This turn has been played." in answer_to(cast.ada)
    assert not Orders.objects.filter(turn=open_turn(duel)).exists()


def test_email_received_twice_is_read_once(cast: Cast, duel: Duel):
    assert reply(duel, cast.ada, "left P\nright W") == ReplyOutcome.SEALED
    assert reply(duel, cast.ada, "left P\nright W") == ReplyOutcome.REPEATED
    assert len(answers_to(cast.ada)) == 1


def test_number_of_replies_per_turn_is_limited(
    cast: Cast, duel: Duel, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("duels.replies.commands.MAX_REPLIES", 2)
    outcomes = [reply(duel, cast.ada, "left P\nright W", number=number) for number in range(4)]
    assert outcomes == [ReplyOutcome.SEALED] * 2 + [ReplyOutcome.TOO_MANY] * 2
    assert Notice.objects.filter(kind="answered").count() == 2


def test_receipt_is_sent_at_once_whatever_the_wizard_has_chosen(cast: Cast, duel: Duel):
    post.set_mail_choice(wizard=cast.ada, when="off", hour=8, though_here=False, now=NOW)
    mark_wizard_on_site(cast.ada.pk)
    reply(duel, cast.ada, "left P\nright W")
    assert answer_to(cast.ada).startswith("Orders sealed")
    post.set_mail_choice(wizard=cast.ada, when="daily", hour=8, though_here=False, now=NOW)
    reply(duel, cast.ada, "left F\nright W", number=2)
    assert answer_to(cast.ada).startswith("Orders sealed")


def test_email_received_by_two_routes_is_read_once(cast: Cast, duel: Duel):
    """The headers of the copies differ, for example if a mailing list has passed one on."""
    assert reply(duel, cast.ada, "left P\nright W") == ReplyOutcome.SEALED
    assert reply(duel, cast.ada, "left F\nright S", number=2) == ReplyOutcome.SEALED
    other = "Received: from relay.example.org\nX-Spam-Score: 1"
    assert reply(duel, cast.ada, "left P\nright W\n", headers=other) == ReplyOutcome.REPEATED
    assert sealed(duel, cast.ada) == {"left": "F", "right": "S"}
    assert reply(duel, cast.ada, "left P\nright W", number=3) == ReplyOutcome.SEALED


def test_unreadable_text_sent_again_is_not_answered_again(cast: Cast, duel: Duel):
    """Otherwise every copy of an unrecognised automatic reply would be answered."""
    for number, text in enumerate(["I am away.", "I am away.", "left P\nrihgt W", "I am away."]):
        assert reply(duel, cast.ada, text, number=number) == ReplyOutcome.UNREADABLE
    assert len(answers_to(cast.ada)) == 2
    assert [reply(duel, cast.ada, "left F", number=number) for number in (5, 6)] == ["sealed"] * 2
    assert len(answers_to(cast.ada)) == 2


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_email_received_twice_at_once_is_read_once(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    for number in range(4):
        raw = written("left P\nright W", address_of(duel, cast.ada), number=number)
        with ThreadPoolExecutor(2) as pool:
            both = pool.map(received_in_a_thread, [raw, raw])
            assert sorted(both) == [ReplyOutcome.REPEATED, ReplyOutcome.SEALED]
    assert Notice.objects.filter(kind="answered").count() == 4
    assert Orders.objects.count() == 1


def received_in_a_thread(raw: bytes) -> ReplyOutcome:
    try:
        return receive_email(raw=raw, now=NOW)
    finally:
        connection.close()


# Orders with harmless additions and in other spellings


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
    assert sealed(duel, cast.ada) == {"left": "P", "right": "W"}


def test_typographic_variants_of_characters_are_read_as_gestures(cast: Cast, duel: Duel):
    text = "left ©\nright (c)\nSAY 10 © left"
    assert reply(duel, cast.ada, text) == ReplyOutcome.SEALED
    assert sealed(duel, cast.ada) == {"left": "C", "right": "C", "say": "10 © left"}
    for number, dash in enumerate(["\u2010", "\N{EN DASH}", "\N{MINUS SIGN}", "\N{EM DASH}."], 2):
        assert reply(duel, cast.ada, f"left W\nright {dash}", number=number) == ReplyOutcome.SEALED
        assert sealed(duel, cast.ada) == {"left": "W", "right": "-"}


@pytest.mark.parametrize(
    "line",
    [
        "rihgt W", "Ada left", "right", "right P now", "the right hand", "lW", "right -W",
        "3 right W",
    ],
)  # fmt: skip
def test_line_that_is_not_clearly_an_order_is_rejected(cast: Cast, duel: Duel, line: str):
    assert reply(duel, cast.ada, f"left P\n{line}") == ReplyOutcome.UNREADABLE
    assert f"line 2: {line}" in answer_to(cast.ada)


def test_line_below_an_added_sentence_is_not_omitted_if_it_may_be_an_order(cast: Cast, duel: Duel):
    banner = "CAUTION: this email comes from outside of your organisation"
    wrong = "leftt hand makes a palm and the right hand waves"
    for text in (f"{banner}\n\n{wrong}", f"left P\n{banner}\n\nrihgt W"):
        assert reply(duel, cast.ada, text, number=len(text)) == ReplyOutcome.UNREADABLE


# Replies in which orders may have been missed


def last_answer_text(wizard: Wizard) -> str:
    """Return the last answer to this wizard, without line breaks."""
    return " ".join(str(answers_to(wizard)[-1].body).split())


def test_reply_that_would_leave_a_hand_without_a_gesture_must_be_confirmed(cast: Cast, duel: Duel):
    reply(duel, cast.ada, "left P\nright W")
    assert reply(duel, cast.ada, "left F", number=2) == ReplyOutcome.ASKED
    assert sealed(duel, cast.ada) == {"left": "P", "right": "W"}
    assert "RH W" in last_answer_text(cast.ada)
    assert reply(duel, cast.ada, "left F", number=3) == ReplyOutcome.SEALED
    assert sealed(duel, cast.ada) == {"left": "F", "right": "-"}
    assert reply(duel, cast.ada, "right S", number=4) == ReplyOutcome.ASKED
    assert reply(duel, cast.ada, "right S\nleft -", number=5) == ReplyOutcome.SEALED


def test_reply_with_an_order_below_a_divider_must_be_confirmed(cast: Cast, duel: Duel):
    assert reply(duel, cast.ada, "left P\n----\nright W") == ReplyOutcome.ASKED
    assert "right W" in last_answer_text(cast.ada)
    assert not Orders.objects.exists()
    assert reply(duel, cast.ada, "left P\nThanks!\nSAY hi", number=2) == ReplyOutcome.ASKED
    assert reply(duel, cast.ada, "left P\n----\nright W", number=3) == ReplyOutcome.SEALED
    assert sealed(duel, cast.ada) == {"left": "P", "right": "-"}


def test_answer_quotes_orders_if_all_of_them_were_below_a_divider(cast: Cast, duel: Duel):
    assert reply(duel, cast.ada, "----\nleft P") == ReplyOutcome.EMPTY
    assert "left P" in last_answer_text(cast.ada)


def test_reply_that_quotes_the_email_about_the_turn_need_not_be_confirmed(cast: Cast, duel: Duel):
    for left, right in (("S", "P"), ("F", "S"), ("F", "W")):
        play(duel, {cast.ada: hands(left, right), cast.bram: hands(right, left)})
    message = mails(cast.ada)[-1]
    assert "Spells your hands can complete" in str(message.body)
    for number, start in enumerate(["", "From: Spellcaster\n\n", "----\n"]):
        text = f"left P\nright W\n\n{start}{message.body}"
        assert reply(duel, cast.ada, text, number=number) == ReplyOutcome.SEALED
        assert sealed(duel, cast.ada) == {"left": "P", "right": "W"}
    edited = str(message.body).replace("right -", "right F", 1)
    text = f"left P\nright W\n\nFrom: Spellcaster\n\n{edited}"
    assert reply(duel, cast.ada, text, number=9) == ReplyOutcome.ASKED


def test_reply_of_which_only_a_part_is_read_must_be_confirmed(cast: Cast, duel: Duel):
    text = "left P\n" + "\n" * 600 + "right W"
    assert reply(duel, cast.ada, text) == ReplyOutcome.ASKED
    assert "too long" in last_answer_text(cast.ada)


PICTURE = "Content-Type: image/png\nContent-Disposition: inline; filename=x.png\n\nx"


@pytest.mark.parametrize("kind", ["plain", "html"])
def test_text_before_and_after_a_picture_is_read(cast: Cast, duel: Duel, kind: str):
    picture = (
        PICTURE.replace("\n\nx", "\nContent-Transfer-Encoding: base64\n\n")
        + ("A" * 76 + "\n") * 20_000
    )
    parts = [f"Content-Type: text/{kind}\n\nleft P\n", picture]
    parts += [f"Content-Type: text/{kind}\n\n<br>right W\n".replace("<br>" * (kind == "plain"), "")]
    raw = written("", address_of(duel, cast.ada)).rpartition(b"Content-Type")[0].decode()
    inner = "".join(f"--b\n{part}\n" for part in parts) + "--b--\n"
    raw += f"Content-Type: multipart/mixed; boundary=b\n\n{inner}"
    assert receive_email(raw=raw.encode(), now=NOW) == ReplyOutcome.SEALED
    assert sealed(duel, cast.ada) == {"left": "P", "right": "W"}


def multipart_email(duel: Duel, wizard: Wizard, *parts: str) -> bytes:
    """Return an email of several parts, each with its headers, an empty line and its content."""
    inner = "".join(f"--b\n{part}\n" for part in parts) + "--b--\n"
    kind = "multipart/mixed; boundary=b"
    return with_body(address_of(duel, wizard), f"\n{inner}".encode(), kind=kind)


NO_TEXT = "Content-Type: text/plain\n\n"
ORDERS_AS_BASE64 = base64.encodebytes(b"left P\nright W\n").decode()
ATTACHMENTS = {
    "text": "text/plain; name=orders.txt\nContent-Disposition: attachment; filename=orders.txt",
    "HTML": "text/html\nContent-Disposition: attachment; filename=orders.html",
    "Outlook": "application/ms-tnef; name=winmail.dat",
    "RTF": "text/rtf; name=orders.rtf\nContent-Disposition: inline; filename=orders.rtf",
    "Word": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "calendar": "text/calendar",
    "encrypted": "application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m",
    "photo": "image/jpeg\nContent-Disposition: attachment; filename=orders.jpg",
}


@pytest.mark.parametrize("kind", ATTACHMENTS)
@pytest.mark.parametrize("is_only_part", [True, False])
def test_answer_says_that_orders_in_an_attachment_are_not_read(
    cast: Cast, duel: Duel, kind: str, is_only_part: bool
):
    head = f"Content-Type: {ATTACHMENTS[kind]}\nContent-Transfer-Encoding: base64\n\n"
    attached = head + ORDERS_AS_BASE64
    if is_only_part:
        raw = written("", address_of(duel, cast.ada)).rpartition(b"Content-Type")[0]
        raw += attached.encode()
    else:
        raw = multipart_email(duel, cast.ada, NO_TEXT, attached)
    assert receive_email(raw=raw, now=NOW) == ReplyOutcome.EMPTY
    answer = last_answer_text(cast.ada)
    assert "does not contain any orders" in answer
    assert "copy them into the email itself" in answer


def test_answer_to_a_letter_with_its_orders_attached_mentions_attachments(cast: Cast, duel: Duel):
    attached = f"Content-Type: {ATTACHMENTS['text']}\n\nleft P\nright W\n"
    letter = f"{NO_TEXT}My orders are attached.\n"
    raw = multipart_email(duel, cast.ada, letter, attached)
    assert receive_email(raw=raw, now=NOW) == ReplyOutcome.UNREADABLE
    assert "Attachments are not read." in answer_to(cast.ada)


@pytest.mark.parametrize(
    "part", ["image/png\nContent-Disposition: inline", "application/pgp-signature"]
)
def test_answer_does_not_mention_signatures_and_logos(cast: Cast, duel: Duel, part: str):
    raw = multipart_email(duel, cast.ada, NO_TEXT, f"Content-Type: {part}; name=x\n\nx")
    assert receive_email(raw=raw, now=NOW) == ReplyOutcome.EMPTY
    assert "Attachments" not in answer_to(cast.ada)


@pytest.mark.parametrize(
    "headers",
    [
        "Content-Type: text/plain\nContent-Disposition: inline; filename=orders.txt",
        "Content-Type: text/plain; name=orders.txt",
        "Content-Type: text/html; name=orders.html",
    ],
)
def test_text_file_that_is_shown_within_the_email_is_read(cast: Cast, duel: Duel, headers: str):
    """Only `Content-Disposition: attachment` makes a part an attachment (RFC 2183)."""
    written_text = "left P<br>right W" if "html" in headers else "left P\nright W"
    raw = multipart_email(duel, cast.ada, NO_TEXT, f"{headers}\n\n{written_text}")
    assert receive_email(raw=raw, now=NOW) == ReplyOutcome.SEALED
    assert sealed(duel, cast.ada) == {"left": "P", "right": "W"}


def test_reply_that_is_cut_off_after_a_megabyte_must_be_confirmed(cast: Cast, duel: Duel):
    text = "left P\nright W\n-- \n" + "Ada Lovelace " * 80_000
    assert reply(duel, cast.ada, text) == ReplyOutcome.ASKED


def with_body(to: str, body: bytes, *, kind: str = "text/html") -> bytes:
    """Return an email with this body and content type."""
    head = written("", to).rpartition(b"Content-Type")[0]
    return head + f"Content-Type: {kind}\n".encode() + body


def alternatives(plain: str, html: str) -> bytes:
    parts = f"--b\nContent-Type: text/plain\n\n{plain}\n--b\nContent-Type: text/html\n\n{html}\n"
    return f"\n{parts}--b--\n".encode()


@pytest.mark.parametrize(
    ("plain", "html", "outcome"),
    [
        ("left P\nright W", "<p>left&nbsp;P</p><p><b>right W</b></p>", ReplyOutcome.SEALED),
        ("*left P*\n- right W", "<p><b>left P</b></p><ul><li>right W</ul>", ReplyOutcome.SEALED),
        ("left P", "<p>left P</p><p>right W</p>", ReplyOutcome.ASKED),
        ("left P\nright W", "<p>left P</p><p>right F</p>", ReplyOutcome.ASKED),
        ("> left -", "<p>left P</p><p>right W</p>", ReplyOutcome.EMPTY),
    ],
)
def test_orders_only_in_the_html_version_of_a_reply_are_not_dropped(
    cast: Cast, duel: Duel, plain: str, html: str, outcome: ReplyOutcome
):
    kind = "multipart/alternative; boundary=b"
    raw = with_body(address_of(duel, cast.ada), alternatives(plain, html), kind=kind)
    assert receive_email(raw=raw, now=NOW) == outcome
    if outcome != ReplyOutcome.SEALED:
        assert not Orders.objects.exists()
        assert "right" in last_answer_text(cast.ada)


@pytest.mark.parametrize("length", [5_000, 50_000], ids=["short", "over a megabyte"])
@pytest.mark.parametrize("encoding", ["base64", "8bit"])
def test_end_of_a_long_html_reply_is_not_dropped_silently(
    cast: Cast, duel: Duel, encoding: str, length: int
):
    html = f"<p>left P</p>{'<b style=color:red></b>' * length}<p>right W</p>".encode()
    body = base64.encodebytes(html) if encoding == "base64" else html
    sent = f"Content-Transfer-Encoding: {encoding}\n\n".encode() + body
    raw = with_body(address_of(duel, cast.ada), sent)
    assert receive_email(raw=raw, now=NOW) == ReplyOutcome.ASKED
    assert "too long" in last_answer_text(cast.ada)


# Answers to questions


@pytest.fixture
def asked(cast: Cast) -> Duel:
    """A duel in which Ada is asked which of Bram's hands to paralyse."""
    duel = begin(cast.ada, cast.bram, strict=True)
    for _ in range(3):
        play(duel, {cast.ada: hands("F", "-"), cast.bram: hands("W", "S")})
    assert open_turn(duel).stage == Stage.ANSWERS
    return duel


@pytest.mark.parametrize(
    "line", ["1: right", "right", "R", "answer 1 right hand", "ANSWER paralysis RH", "1. r"]
)
def test_reply_can_answer_a_question(cast: Cast, asked: Duel, line: str):
    (question,) = open_turn(asked).questions
    assert reply(asked, cast.ada, line) == ReplyOutcome.SEALED
    answer = answer_to(cast.ada)
    assert answer.startswith("Answer sealed: turn 3 against Bram")
    assert question["text"] in answer
    assert sealed_answer(asked, cast) == {question["id"]: "R"}


def sealed_answer(duel: Duel, cast: Cast) -> dict[str, str]:
    row = Orders.objects.get(seat__wizard=cast.ada, stage=Stage.ANSWERS, superseded=False)
    return decrypt_seal(row.body).orders


def test_reply_to_only_one_of_two_questions_keeps_the_sealed_answers(cast: Cast):
    duel = begin(cast.ada, cast.bram, cast.cleo, strict=True)
    for subjects in ({}, {}, {"left_subject": "w1", "right_subject": "w2"}):
        others = {each: hands("W", "S") for each in (cast.bram, cast.cleo)}
        play(duel, {cast.ada: hands("F", "F", **subjects), **others})
    first, second = (each["id"] for each in open_turn(duel).questions)
    assert reply(duel, cast.ada, "Hello,\n1: right.\n- 2: right\n\nAda") == ReplyOutcome.SEALED
    assert reply(duel, cast.ada, "1: left", number=2) == ReplyOutcome.ILLEGAL
    assert sealed_answer(duel, cast) == {first: "R", second: "R"}


def test_reply_with_an_invalid_answer_is_rejected_with_a_reason(cast: Cast, asked: Duel):
    assert reply(asked, cast.ada, "2: right") == ReplyOutcome.UNREADABLE
    assert "the number of a question (1 to 1)" in answer_to(cast.ada)
    assert reply(asked, cast.ada, "1: ice", number=2) == ReplyOutcome.UNREADABLE
    assert "line 1: 1: ice" in answer_to(cast.ada)
    assert reply(asked, cast.ada, "1: left\n1: right", number=3) == ReplyOutcome.UNREADABLE
    assert not Orders.objects.filter(stage=Stage.ANSWERS).exists()


def test_orders_by_reply_are_rejected_after_the_reveal(cast: Cast, asked: Duel):
    """Bram has not been asked a question."""
    assert reply(asked, cast.bram, "left P\nright W") == ReplyOutcome.REFUSED
    assert "The gestures of this turn have already been revealed." in answer_to(cast.bram)


def old_address(wizard: Wizard, turn: Turn) -> str:
    """Return a reply address as in emails of release 0.1.0, which does not name a round."""
    domain = make_reply_address(wizard.pk, turn.pk).partition("@")[2]
    return make_signed_address("reply", f"{wizard.pk}-{turn.pk}", domain)


def test_reply_answers_only_questions_of_the_round_in_its_address(cast: Cast, asked: Duel):
    """Addresses in emails about orders, and in all emails of release 0.1.0, do not name a round."""
    turn = open_turn(asked)
    old = old_address(cast.ada, turn)
    for number, to in enumerate((make_reply_address(cast.ada.pk, turn.pk, 0), old)):
        raw = written("1: right" + "." * number, to, number=number)
        assert receive_email(raw=raw, now=NOW) == ReplyOutcome.REFUSED
        assert "To answer its questions, reply to" in " ".join(answer_to(cast.ada).split())
    Turn.objects.filter(pk=turn.pk).update(batch=2)
    late = written("1: right", make_reply_address(cast.ada.pk, turn.pk, 1), number=2)
    assert receive_email(raw=late, now=NOW) == ReplyOutcome.REFUSED
    assert "questions, but round 2 is open now" in " ".join(answer_to(cast.ada).split())
    assert not Orders.objects.filter(turn=turn, stage=Stage.ANSWERS).exists()
    new = written("1: right", make_reply_address(cast.ada.pk, turn.pk, 2), number=3)
    assert receive_email(raw=new, now=NOW) == ReplyOutcome.SEALED


def test_orders_to_a_reply_address_of_release_0_1_0_are_sealed(cast: Cast, duel: Duel):
    old = old_address(cast.ada, open_turn(duel))
    assert receive_email(raw=written("left P\nright W", old), now=NOW) == ReplyOutcome.SEALED


def test_email_about_questions_shows_how_to_answer(cast: Cast, asked: Duel):
    (message,) = [each for each in mails(cast.ada) if "A question for you" in each.subject]
    (question,) = open_turn(asked).questions
    default = question["words"][question["options"].index(question["default"])]
    body = str(message.body)
    assert body.startswith("All orders for turn 3 of your duel with Bram are sealed")
    assert f"1. {question['text']}\n   Possible answers: the left hand or the right hand." in body
    assert f"\n\n1: {default}\n\nTo answer, reply to this email" in body
    assert f"<li>{question['text']}<br>" in page_html(message)
    holder = parse_reply_address(parseaddr(message.reply_to[0])[1])
    assert holder == (cast.ada.pk, open_turn(asked).pk, 1)
    assert reply(asked, cast.ada, f"1: {default}") == ReplyOutcome.SEALED


def test_reminders_and_rejected_answers_show_the_open_question(cast: Cast, asked: Duel):
    (question,) = open_turn(asked).questions
    line = f"1. {question['text']}\n   Possible answers: the left hand or the right hand."
    post.queue_notices([post.new_notice(Reminder, cast.ada, asked, LATER, turn=open_turn(asked))])
    due = {"due_at": LATER, "remind_at": LATER}
    Seat.objects.filter(duel=asked, wizard=cast.ada).update(**due)
    reminder = next(each for each in mails(cast.ada) if "question in turn 3" in str(each.body))
    assert line in str(reminder.body)
    reply(asked, cast.ada, "1: ice")
    assert line in answer_to(cast.ada)


# Emails that can be answered


def test_turn_email_begins_with_orders_and_has_a_reply_address(cast: Cast, duel: Duel):
    play(duel, {cast.ada: hands("W", "F"), cast.bram: hands("W", "F")})
    message = mails(cast.ada)[-1]
    assert message.subject == "Your turn against Bram (turn 2)"
    body = str(message.body)
    assert body.startswith("Turn 2 of your duel with Bram is waiting for your orders.")
    assert "\n\nleft -\nright -\n\nTo give orders, reply to this email" in body
    (address,) = message.reply_to
    assert parse_reply_address(parseaddr(address)[1]) == (cast.ada.pk, open_turn(duel).pk, 0)
    assert "Nobody reads replies" not in body


def test_preview_of_a_turn_email_on_a_phone_says_what_happened(cast: Cast, duel: Duel):
    """The preview is the beginning of the HTML: sentences, but no orders or addresses."""
    play(duel, {cast.ada: hands("W", "F"), cast.bram: hands("W", "F")})
    for message in mails(cast.ada):
        preview, first = re.findall(
            r"<body.*?<div[^>]*>([^<]+)</div>\s*<div.*?<p>(.*?)</p>", page_html(message), re.DOTALL
        )[0]
        assert preview == " ".join(re.sub("<[^>]+>", "", first).split())
        assert preview.startswith(("Your duel with Bram begins.", "Turn 2 of your duel with Bram"))
        assert "left -" not in preview
        assert "://" not in preview


def test_emails_do_not_mention_replies_if_they_are_off(cast: Cast, duel: Duel, settings: Settings):
    settings.REPLY_DOMAIN = ""
    (message,) = mails(cast.ada)
    assert message.reply_to == []
    assert "reply to this email" not in str(message.body)
    assert "left -" not in str(message.body)
    assert parse_reply_address("reply+1-1-aaaaaaaaaaaaaaaaaaaaaaaaaa@") is None


def test_orders_shown_in_a_turn_email_can_be_sent_back(cast: Cast, duel: Duel):
    (message,) = mails(cast.ada)
    lines = orders_in(message)
    assert reply(duel, cast.ada, lines) == ReplyOutcome.ASKED
    assert not Orders.objects.exists()
    assert reply(duel, cast.ada, lines, number=2) == ReplyOutcome.SEALED
    assert sealed(duel, cast.ada) == {"left": "-", "right": "-"}


def orders_in(message: EmailMultiAlternatives) -> str:
    """Return the orders that the email shows, which are played if the wizard does not seal any."""
    return str(message.body).partition("\n\nTo give orders")[0].rpartition("\n\n")[2]


@pytest.mark.parametrize("ruleset", sorted(engine.play.RULESETS))
def test_orders_in_a_turn_email_include_monsters(cast: Cast, ruleset: str):
    """The orders show the default victims of monsters, and can be sent as they are."""
    beasts = [{"kind": kind, "controller": "w0"} for kind in ("goblin", "ogre")]
    duel = begin(cast.ada, cast.bram, ruleset=ruleset)
    duellists = [engine.play.Duellist(name) for name in ("Ada", "Bram")]
    position = engine.play.begin(
        ruleset,
        duellists,
        setup={"monsters": beasts},
    )
    turn = open_turn(duel)
    turn.position = engine.play.dump(position)
    turn.save()
    message = next(each for each in mails(cast.ada) if "TARGET" in str(each.body))
    lines = orders_in(message)
    assert "TARGET Red Goblin Bram\n" in lines
    assert "TARGET Green Ogre Bram" in lines
    assert "To send a monster against someone else" in " ".join(str(message.body).split())
    reply(duel, cast.ada, f"{lines}\nSAY Charge")
    reply(duel, cast.ada, f"{lines}\nSAY Charge", number=2)
    fields = sealed(duel, cast.ada)
    assert {fields.pop("victim:m0"), fields.pop("victim:m1")} == {"w1"}
    assert fields == {"left": "-", "right": "-", "say": "Charge"}


@pytest.mark.parametrize("name", daily.sample(sorted(STATES), 3, "orders in emails"))
def test_default_orders_stay_legal_when_written_as_text(name: str, db: None):
    state = STATES[name](People())
    turn = Turn.objects.filter(duel=state.duel).latest("ordinal")
    position = adjudication.position_after_departures(turn)
    for wizard in engine.play.acting_wizards(position):
        default = adjudication.default_orders_as_text(position, wizard)
        orders = engine.words.parse_orders("\n".join(default.lines), position, wizard)
        assert engine.play.check(position, wizard, orders) == ()
        named = {row.key for row in engine.play.sheet(position, wizard, orders).monsters}
        assert len(named) == len(orders.victims) + len(default.undirected)


# Receipts, which show the currently sealed orders


def receipt(wizard: Wizard) -> str:
    """Return the newest answer to this wizard, without line breaks."""
    return " ".join(str(answers_to(wizard)[-1].body).split())


def test_receipt_of_a_confirmed_surrender_mentions_the_surrender(cast: Cast, duel: Duel):
    reply(duel, cast.ada, "left P\nright P")
    reply(duel, cast.ada, "left P\nright P", number=2)
    answer = receipt(cast.ada)
    assert "Both hands make P: you surrender" in answer
    assert answer.count("casts Shield on yourself") == 1


def test_receipt_shows_the_newest_sealed_orders(cast: Cast, duel: Duel):
    reply(duel, cast.ada, "left W\nright F")
    sooner = Orders.objects.get(turn=open_turn(duel))
    later = seal(duel, cast.ada, hands("D", "S"), form_seal=sooner.commitment)
    answer = receipt(cast.ada)
    assert "but you have changed them since" in answer
    assert "your left hand makes D" in answer.replace("Your", "your")
    assert "makes W" not in answer
    assert later.commitment in answer


def test_receipt_says_if_orders_were_taken_back(cast: Cast, duel: Duel):
    reply(duel, cast.ada, "left W\nright F")
    sealing.unseal(turn_id=open_turn(duel).pk, wizard=cast.ada, now=NOW)
    assert "but you have taken them back. If you do not seal again" in receipt(cast.ada)


def test_answer_to_a_rejected_reply_shows_the_sealed_orders(cast: Cast, duel: Duel):
    reply(duel, cast.ada, "left W\nrihgt F")
    assert "You have not sealed anything for this turn yet." in receipt(cast.ada)
    seal(duel, cast.ada, hands("D", "S"))
    reply(duel, cast.ada, "left W\nrigth F", number=2)
    answer = receipt(cast.ada)
    assert "Anything you had sealed before is unchanged. This is sealed now:" in answer
    assert "left hand makes D" in answer


def test_answer_to_an_unreadable_reply_names_the_deadline(cast: Cast):
    duel = begin(cast.ada, cast.bram, pace="86400")
    reply(duel, cast.ada, "left W\nrihgt F")
    nothing = "You have not sealed anything for this turn yet. Your orders are due on "
    assert nothing in receipt(cast.ada)
    seal(duel, cast.ada, hands("D", "S"))
    reply(duel, cast.ada, "left W\nrigth F", number=2)
    assert "due on" not in receipt(cast.ada)


def test_answer_to_a_reply_for_an_old_turn_names_the_open_turn(cast: Cast, duel: Duel):
    to = address_of(duel, cast.ada)
    play(duel, {cast.ada: hands("W", "F"), cast.bram: hands("W", "F")})
    receive_email(raw=written("left P\nright W", to), now=NOW)
    (answer,) = answers_to(cast.ada)
    body = " ".join(str(answer.body).split())
    assert (
        "This turn has been played. Turn 2 is open now, and it is waiting for your orders" in body
    )
    assert "anything you had sealed" not in body.lower()
    assert parse_reply_address(parseaddr(answer.reply_to[0])[1]) == (
        cast.ada.pk,
        open_turn(duel).pk,
        0,
    )
    assert orders_in(answer) == "left -\nright -"


def test_answer_to_a_reply_after_the_end_says_how_the_duel_ended(cast: Cast, duel: Duel):
    to = address_of(duel, cast.ada)
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    receive_email(raw=written("left P\nright W", to), now=NOW)
    (answer,) = answers_to(cast.ada)
    body = " ".join(str(answer.body).split())
    assert "The duel is over. You have won. It ended by resignation." in body
    assert answer.reply_to == []
    assert "Nobody reads replies to this email." in body


# Reply tokens


def test_orders_by_reply_are_encrypted_and_not_logged(
    cast: Cast, duel: Duel, caplog: pytest.LogCaptureFixture
):
    with caplog.at_level(logging.DEBUG):
        reply(duel, cast.ada, "left P\nright P\nSAY abracadabra")
        reply(duel, cast.ada, "left P\nright W\nSAY abracadabra", number=2)
        reply(duel, cast.ada, "abracadabra", number=3)
    rows = [
        *Reply.objects.values_list(),
        *Notice.objects.values_list(),
        *Orders.objects.values_list(),
    ]
    assert "abracadabra" not in str(rows)
    assert "abracadabra" not in caplog.text


# Emails with any content that a stranger could send

HEADERS = st.sampled_from(
    [
        b"Content-Type: multipart/mixed; boundary=b", b"Content-Type: text/html", b"--b", b"--b--",
        b"Content-Type: text/plain; charset=utf-7", b"Content-Type: message/rfc822", b"\n", b"\n\n",
        b"say +2AA-", b"+3/8- left P", b"From: =?utf-7?b?KzJBQS0=?=", b"From: =?utf-7?q?+2AA-?=",
        b"Content-Transfer-Encoding: base64", b"Content-Transfer-Encoding: x-uuencode", b"begin 6",
        b"Content-Type: text/plain; format=flowed", b"From: =?utf-7?b?//?=", b"Content-Type: ;;;",
        b"Content-Disposition: attachment; filename*=x''%ff", b"> left P", b"left P",
        b"<blockquote><p>", b"On 1 May 2026, X <a@b> wrote:", b"From \xff", b"Auto-Submitted: \xff",
        b"Authentication-Results: ", b"Authentication-Results: ; dmarc=fail", b"Delivered-To: a@b",
        b"________________________________", b"-- ", b"Content-Type: text/plain; charset=\"\x00\"",
        b"Content-Type: text/plain; charset*0=ut; charset*1=f-8", b"2026/1/1 <a@b <@b> <@",
    ]
)  # fmt: skip
RANDOM_EMAILS = st.binary(max_size=300) | st.lists(
    HEADERS | st.binary(max_size=20), max_size=25
).map(b"\n".join)


@given(RANDOM_EMAILS)
@settings(max_examples=daily.examples(500))
def test_email_with_arbitrary_bytes_does_not_cause_a_crash(raw: bytes):
    try:
        letter = parse_email(raw)
    except UnreadableMail:
        return
    own_text(letter.text, addresses=["spellcaster@localhost"]).encode()
    "".join([letter.sender, letter.message_id, *letter.recipients]).encode()


NUMBERS = count()


@given(
    st.text(max_size=200) | RANDOM_EMAILS.map(lambda raw: raw.decode("latin-1")),
    st.sampled_from(["utf-8", "utf-7"]),
)
@settings(
    max_examples=daily.examples(60),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_email_with_a_token_and_any_text_does_not_cause_a_crash(
    cast: Cast, duel: Duel, text: str, charset: str
):
    Reply.objects.all().delete()
    raw = written(text, address_of(duel, cast.ada), number=next(NUMBERS))
    receive_email(raw=raw.replace(b"charset=utf-8", f"charset={charset}".encode()), now=NOW)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("left P\nright W\nsay hi +2AA- there", ReplyOutcome.SEALED),
        ("rihgt +2AA- W", ReplyOutcome.UNREADABLE),
    ],
)
def test_invalid_utf_7_in_an_email_becomes_a_question_mark(
    cast: Cast, duel: Duel, text: str, outcome: ReplyOutcome
):
    raw = written(text, address_of(duel, cast.ada))
    assert receive_email(raw=raw.replace(b"charset=utf-8", b"charset=utf-7"), now=NOW) == outcome
    assert "?" in answer_to(cast.ada)
    assert Notice.objects.get(kind="answered").status == "sent"


def test_text_below_a_short_line_of_dashes_is_not_the_senders_own():
    """Long lines are not checked, because the time grows with the square of the length."""
    for divider in ("---", "*" * 200, "-----Original Message-----", "--- " + "x" * 193 + "---"):
        assert own_text(f"left P\n{divider}\nleft F") == "left P"
    for line in ("---x", "*" * 201, "--- " + "x" * 194 + "---"):
        assert own_text(f"left P\n{line}\nright W") == f"left P\n{line}\nright W"


def test_senders_own_text_is_extracted_before_any_database_query(
    cast: Cast, duel: Duel, monkeypatch
):
    asked_before: list[int] = []

    def noted(text: str, addresses: Collection[str]) -> str:
        asked_before.append(len(captured))
        return own_text(text, addresses)

    monkeypatch.setattr(reading, "own_text", noted)
    raw = written("left P\nright W", address_of(duel, cast.ada))
    with CaptureQueriesContext(connection) as captured:
        assert receive_email(raw=raw, now=NOW) == ReplyOutcome.SEALED
    assert asked_before == [0]


@pytest.mark.parametrize(
    "raw",
    [
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" * 5_000,
        b"Content-Type:\n multipart/mixed; boundary=b\n\n--b\n" * 5_000,
        b"Content-Type: message/rfc822\n\n" * 20_000,
        b"Content-Type: text/plain; " + b'";' * 200_000 + b"\n\nleft P",
        b"Content-Type: text/plain;" + b'\n a="' * 100_000 + b"\n\nleft P",
        b"To: " + b"<a@" * 300_000 + b"\n\nleft P",
        b"Subject: " + b"=?utf-8?q?" * 80_000 + b"\n\nleft P",
        b"\n" + b"> " * 400_000,
        b"\n" + b"2026/1/1 " + b"<@ " * 300_000,
        b"\n" + b"2026/1/1 <a@b <@\n" * 50_000,
        b"\n" + b"Am " + b" schrieb " * 100_000,
        b"\n" + b"Am a schrieb b schrieb c schrieb d\n" * 20_000,
        b"Content-Type: text/html\n\n" + b"<a " * 300_000,
        b"Content-Type: text/html\n\n" + b"<blockquote>" * 80_000,
        b"Content-Type: text/html\n\n" + b"<table><tr><td>left" * 50_000,
        b"Content-Type: text/plain; format=flowed\n\n" + b"a \n" * 300_000,
        b"A: b\n" * 200_000,
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" + b"A: b\n" * 200_000,
        b"Content-Transfer-Encoding: x-uuencode\n\nbegin 644 x\n" + b"M" * 900_000,
        b"\n" + b"-" * 900_000,
        b"\n" + b"thanks " * 100_000,
    ],
    ids=lambda raw: repr(raw[:40]),
)  # fmt: skip
@pytest.mark.timeout(20)
def test_large_hostile_emails_are_parsed_within_seconds(raw: bytes):
    """On a busy machine, most emails take a tenth of a second, and none more than two seconds."""
    try:
        letter = parse_email(raw)
    except UnreadableMail:
        return
    own_text(letter.text, addresses=["spellcaster@localhost"])


@given(st.text(st.sampled_from("> \n-ab"), max_size=80))
def test_text_in_flowed_format_keeps_its_letters(text: str):
    assert join_flowed_lines(text).replace("\n", "").replace(" ", "").replace(
        ">", ""
    ) == text.replace("\n", "").replace(" ", "").replace(">", "")
