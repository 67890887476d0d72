"""Emails with any content that a stranger could send."""

from collections.abc import Collection
from itertools import count

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from duels.models import Duel
from duels.post.models import Notice
from duels.replies import commands as reading
from duels.replies.message import UnreadableMail, parse_email
from duels.replies.models import Reply
from duels.replies.own_text import join_flowed_lines, own_text
from duels.replies.public import ReplyOutcome, receive_email
from tests import daily
from tests.cast import NOW, Cast
from tests.duels.replies.writing import address_of, answer_to, written

EMAIL_LINES = st.sampled_from(
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
    EMAIL_LINES | st.binary(max_size=20), max_size=25
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


MESSAGE_NUMBERS = count()


@given(
    st.text(max_size=200) | RANDOM_EMAILS.map(lambda raw: raw.decode("latin-1")),
    st.sampled_from(["utf-8", "utf-7"]),
)
@settings(
    max_examples=daily.examples(60),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_email_to_a_reply_address_with_any_text_does_not_cause_a_crash(
    cast: Cast, duel: Duel, text: str, charset: str
):
    Reply.objects.all().delete()
    raw = written(text, address_of(duel, cast.ada), number=next(MESSAGE_NUMBERS))
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
    """Long lines are not checked: the time grows with the square of their length."""
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
