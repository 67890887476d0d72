"""Tests of the senders of replies: tokens, unknown addresses and automatic emails."""

import logging

import pytest
from allauth.account.models import EmailAddress
from pytest_django import Settings

from duels.models import Duel, Orders
from duels.post.models import Notice
from duels.post.public import make_reply_address, parse_reply_address
from duels.replies.models import Reply
from duels.replies.public import ReplyOutcome, receive_email
from tests.cast import NOW, Cast, begin, open_turn
from tests.duels.replies.writing import (
    SITE,
    address_of,
    answers_to,
    mails,
    reply,
    written,
)


@pytest.fixture
def duel(cast: Cast) -> Duel:
    return begin(cast.ada, cast.bram)


def test_reply_token_is_only_valid_for_one_wizard_and_turn(cast: Cast, duel: Duel):
    address = make_reply_address(cast.ada.pk, 41)
    assert parse_reply_address(address.upper()) == (cast.ada.pk, 41, 0)
    assert len(address.partition("@")[0]) <= 64
    local, _, domain = address.partition("@")
    mac = local.rpartition("-")[2]
    for forged in (
        f"reply+{cast.bram.pk}-41-0-{mac}@{domain}", f"reply+{cast.ada.pk}-42-0-{mac}@{domain}",
        f"reply+{cast.ada.pk}-41-1-{mac}@{domain}", f"reply+{cast.ada.pk}-41-{mac}@{domain}",
        f"{local[:-1]}@{domain}", f"{local[:-1]}{'a' if local[-1] != 'a' else 'b'}@{domain}",
        f"{local}@elsewhere.example", local, f"reply+@{domain}", "", "@", address + "\n" + address,
    ):  # fmt: skip
        assert parse_reply_address(forged) is None, forged


def test_reply_token_depends_on_the_secret_key(cast: Cast, settings: Settings):
    address = make_reply_address(cast.ada.pk, 41)
    settings.SECRET_KEY = "another"
    assert parse_reply_address(address) is None


def test_recipient_without_a_valid_token_is_unknown(cast: Cast, duel: Duel):
    for to in ("spellcaster@localhost", "reply+1-1-aaaaaaaaaaaaaaaaaaaaaaaaaa@replies.example"):
        assert receive_email(raw=written("left P\nright W", to), now=NOW) == ReplyOutcome.UNKNOWN
    # Dorn has no seat in this duel
    elsewhere = make_reply_address(cast.dorn.pk, open_turn(duel).pk)
    assert receive_email(raw=written("left P", elsewhere), now=NOW) == ReplyOutcome.UNKNOWN
    assert (
        receive_email(raw=written("left P", make_reply_address(cast.ada.pk, 10**15)), now=NOW)
        == "unknown"
    )
    assert not Reply.objects.exists()


def test_reply_token_may_be_only_in_the_envelope(cast: Cast, duel: Duel):
    to = make_reply_address(cast.ada.pk, open_turn(duel).pk)
    raw = written("left P\nright W", "undisclosed@example.org")
    assert receive_email(raw=raw, now=NOW, recipients=["x@y.example", to]) == ReplyOutcome.SEALED


@pytest.mark.parametrize("is_taken", [True, False])
def test_reply_from_another_address_is_logged_and_accepted_if_a_setting_allows_it(
    cast: Cast,
    duel: Duel,
    settings: Settings,
    caplog: pytest.LogCaptureFixture,
    is_taken: bool,
):
    settings.REPLIES_FROM_OTHER_ADDRESSES = is_taken
    with caplog.at_level(logging.INFO):
        outcome = reply(duel, cast.ada, "left P\nright W\nSAY pst", by="ada@work.example")
    assert outcome == (ReplyOutcome.SEALED if is_taken else ReplyOutcome.OTHER_ADDRESS)
    assert Orders.objects.exists() == is_taken
    assert f"and was {'accepted' if is_taken else 'rejected'}" in caplog.text
    assert "pst" not in caplog.text
    assert Reply.objects.get().is_from_other_address
    assert [message.to for message in answers_to(cast.ada)] == [["ada@example.org"]]


def test_own_address_of_the_sender_is_recognised_regardless_of_case(cast: Cast, duel: Duel, caplog):
    reply(duel, cast.ada, "left P\nright W", by="Ada <ADA@example.ORG>")
    assert not Reply.objects.get().is_from_other_address


def test_reply_failing_dmarc_counts_as_forged(cast: Cast, duel: Duel, settings: Settings):
    settings.REPLY_AUTHENTICATION_SERVERS = ["mx.duels.example"]
    ours = "Authentication-Results: mx.duels.example; spf=pass; dmarc=fail header.from=example.org"
    theirs = ours.replace("mx.duels.example", "mx.elsewhere.example")
    passed = ours.replace("dmarc=fail", "dmarc=pass")
    assert reply(duel, cast.ada, "left P\nright W", headers=ours) == ReplyOutcome.FORGED
    assert not Orders.objects.exists()
    assert reply(duel, cast.ada, "left P\nright W", headers=theirs, number=2) == ReplyOutcome.SEALED
    assert reply(duel, cast.ada, "left P\nright W", headers=passed, number=3) == ReplyOutcome.SEALED


# Emails that are never answered


@pytest.mark.parametrize(
    "headers",
    [
        "Auto-Submitted: auto-replied", "Auto-Submitted: auto-generated; owner=x",
        "Precedence: bulk", "Precedence: Junk", "Precedence: auto_reply", "X-Autoreply: yes",
        "Return-Path: <>", "List-Id: <duellists.example.org>", "X-Autoresponder: vacation",
        "X-AutoReply-From: ada@example.org", "X-Mail-Autoreply: vacation",
        "X-POST-MessageClass: 9; Autoresponder", "X-Precedence: auto_reply",
        "X-Autorespond: x", "X-Auto-Response: away", "X-Autogenerated: Reply",
    ],
)  # fmt: skip
def test_automatic_emails_are_dropped_without_an_answer(cast: Cast, duel: Duel, headers: str):
    assert reply(duel, cast.ada, "left P\nright W", headers=headers) == ReplyOutcome.AUTOMATIC
    assert not Notice.objects.filter(kind="answered").exists()
    assert not Orders.objects.exists()


@pytest.mark.parametrize(
    "subject",
    [
        "Automatic reply: Your turn", "Auto: I am away", "Out of Office Re: Your turn",
        "[Auto-Reply] Your turn", "Abwesenheitsnotiz: Your turn", "Automatische Antwort: x",
        "=?utf-8?q?R=C3=A9ponse_automatique?= : x", "Respuesta automática: x", "自動応答: x",
        "Ich bin im Urlaub", "Absente du bureau", "Odpowiedź automatyczna: x", "自动答复: x",
        "【自動返信】 x", "Away: x", "On leave", "OOO", "Automatische reactie: x", "De férias",
        "[AUTO GENERATED] Your email has arrived", "Automatically generated: x",
    ],
)  # fmt: skip
def test_automatic_replies_are_recognised_by_their_subject(cast: Cast, duel: Duel, subject: str):
    raw = written("left P\nright W", address_of(duel, cast.ada))
    raw = raw.replace(b"Subject: Re: Your turn", f"Subject: {subject}".encode())
    assert receive_email(raw=raw, now=NOW) == ReplyOutcome.AUTOMATIC


@pytest.mark.parametrize(
    "text",
    [
        "👍", "❤️ 🎉", "👍🏽 Ada reacted via Gmail", "👍 Ada L reacted to your message:",
        "👍 Ada hat über Gmail reagiert", "Ada a réagi à votre message : 👍",
    ],
)  # fmt: skip
def test_emoji_reactions_are_not_answered(cast: Cast, duel: Duel, text: str):
    quoted = f"{text}\n\nOn Sat, 7 Nov 2026, Spellcaster <{SITE}> wrote:\n> left -\n"
    assert reply(duel, cast.ada, quoted) == ReplyOutcome.AUTOMATIC
    assert not answers_to(cast.ada)


@pytest.mark.parametrize(
    "kind",
    [
        "text/vnd.google.email-reaction+json",
        "text/calendar; method=REPLY",
        "message/disposition-notification",
    ],
)
def test_automatic_emails_are_recognised_by_their_mime_parts(cast: Cast, duel: Duel, kind: str):
    raw = written("", address_of(duel, cast.ada)).rpartition(b"Content-Type")[0]
    raw += (
        b"Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\n"
        b"left P\nright W\n\n--b\nContent-Type: %b\n\nX: y\n--b--\n" % kind.encode()
    )
    assert receive_email(raw=raw, now=NOW) == ReplyOutcome.AUTOMATIC
    attached = raw.replace(kind.encode(), b"text/calendar")
    assert receive_email(raw=attached, now=NOW) == ReplyOutcome.SEALED


@pytest.mark.parametrize(
    "local", ["no_reply", "donotreply", "no-reply+7", "autoresponder", "duels-bounces+ada=x"]
)
def test_addresses_of_programs_are_not_answered(cast: Cast, duel: Duel, local: str):
    orders = "left P\nright W"
    assert reply(duel, cast.ada, orders, by=f"{local}@example.org") == ReplyOutcome.AUTOMATIC


def test_email_without_a_sender_is_dropped(cast: Cast, duel: Duel):
    to = make_reply_address(cast.ada.pk, open_turn(duel).pk)
    raw = written("left P", to)
    assert receive_email(raw=raw, now=NOW, envelope_sender="") == ReplyOutcome.AUTOMATIC
    for program in ("MAILER-DAEMON@example.org", "MAILER-DAEMON <>", "<>", "<MAILER-DAEMON>"):
        bounced = written("left P", to, by=program)
        assert receive_email(raw=bounced, now=NOW) == ReplyOutcome.AUTOMATIC
    headers = "Auto-Submitted: no\nX-Auto-Response-Suppress: OOF\nX-Autoreply: no"
    person = written("left P\nright W", to, headers=headers)
    assert (
        receive_email(raw=person, now=NOW, envelope_sender="ada@example.org") == ReplyOutcome.SEALED
    )


def test_receipts_sent_back_to_the_site_are_not_answered(cast: Cast, duel: Duel):
    reply(duel, cast.ada, "left P\nright W")
    (answer,) = answers_to(cast.ada)
    assert receive_email(raw=answer.message().as_bytes(), now=NOW) == ReplyOutcome.AUTOMATIC


def test_emails_request_no_automatic_reply_and_no_reaction(cast: Cast, duel: Duel):
    (message,) = mails(cast.ada)
    assert message.extra_headers["X-Auto-Response-Suppress"] == "All"
    assert message.extra_headers["x-ms-reactions"] == "disallow"


# International addresses


@pytest.mark.parametrize(
    ("address", "sender"),
    [
        ("ada@example.org", "ＡＤＡ＠example．org"),  # noqa: RUF001
        ("ada@example.org", "=?utf-8?q?Ada=2C_Countess_=3Cof=3E?= <Ada@EXAMPLE.org>"),
        ("ada@bücher.example", "Ada <ada@xn--bcher-kva.example>"),
        ("ada@xn--bcher-kva.example", "Adä <ADA@BÜCHER.example>"),
        ("ädä@bücher.example", '"Lovelace, Adä" <Ädä@xn--bcher-kva.example>'),
        ("ädä@bücher.example", "A\u0308da\u0308@bu\u0308cher。example"),
        ("пример@пример.example", "=?utf-8?b?0L/RgNC40LzQtdGA?=@xn--e1afmkfd.example"),
    ],
)
def test_sender_is_recognised_by_any_spelling_of_their_address(
    cast: Cast, duel: Duel, settings: Settings, address: str, sender: str
):
    settings.REPLIES_FROM_OTHER_ADDRESSES = False
    EmailAddress.objects.filter(user=cast.ada.user).update(email=address)
    assert reply(duel, cast.ada, "left P\nright W", by=sender) == ReplyOutcome.SEALED
    other = "ada@elsewhere.example"
    assert reply(duel, cast.ada, "left P", by=other, number=2) == ReplyOutcome.OTHER_ADDRESS


@pytest.mark.parametrize(
    "sender",
    [
        "ada@example.org, eve@example.com", "eve@example.com, Ada <ada@example.org>",
        "ada@example.org <eve@example.com>", "ada@example.org\nFrom: eve@example.com",
        "Wizards: ada@example.org, eve@example.com;", "ada@example.org\nSender: eve@example.com",
        "Lovelace, Ada <ada@example.org>", "ada@example.org <ada@example.org>",
    ],
)  # fmt: skip
def test_sender_with_several_addresses_is_unknown(
    cast: Cast, duel: Duel, settings: Settings, sender: str
):
    settings.REPLIES_FROM_OTHER_ADDRESSES = False
    EmailAddress.objects.filter(user=cast.ada.user).update(email="ada@example.org")
    is_one = "eve" not in sender or "Sender" in sender  # "Sender" names the one who transmits it
    expected = ReplyOutcome.SEALED if is_one else ReplyOutcome.OTHER_ADDRESS
    assert reply(duel, cast.ada, "left P\nright W", by=sender) == expected


def test_reply_domain_can_be_international(cast: Cast, duel: Duel, settings: Settings):
    settings.REPLY_DOMAIN = "bücher.example"
    to = address_of(duel, cast.ada)
    encoded = to.replace("bücher", "xn--bcher-kva")
    assert receive_email(raw=written("left P\nright W", encoded), now=NOW) == ReplyOutcome.SEALED
    raw = written("left F\nright W", to, number=2)
    assert receive_email(raw=raw, now=NOW) == ReplyOutcome.SEALED


# Secrecy
