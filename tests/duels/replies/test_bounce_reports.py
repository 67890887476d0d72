"""Reports of failed deliveries, in standard and other formats, as the parser reads them."""

import re
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duels.email_addresses import is_same_address
from duels.post import public as post
from duels.post.bounce_address import make_bounce_address
from duels.post.models import Notice
from duels.replies.message import UnreadableMail, parse_email
from tests import daily
from tests.duels.replies.bounce_emails import ADA_ADDRESS, REPORT_HEAD, bounce_bytes, read_failure

pytestmark = pytest.mark.usefixtures("bounces_are_on")


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ("SMTP error after MAIL FROM:<a@b.example>:\n553 5.1.0 b.example does not exist", "5.7.1"),
        ("Name service error: Host not found, try again", "5.4.7"),
        ("the user's mailfolder is full", "5.2.2"),
        ("552 ada does not have enough storage", "5.2.2"),
        ("550 Ask our postmaster to put your server on the whitelist", "5.7.1"),
        ("Subject: A virus is in the tower\nUnknown recipient", "5.1.1"),
        ("Sent with Mailer 2.0.12\nUnknown recipient", "5.1.1"),
        ("250 2.6.0 Queued", "2.6.0"),
        ("Call 480-555-0100\n\nThe mailbox is full", "5.2.2"),
        ("550 No such user here\n\nDetails:\nMAIL FROM: <>", "5.1.1"),
        ("5.1.1 <ada@example.org>", "5.1.1"),
        (
            "550 5.1.1 This account does not exist\n\n"
            "--- The header of the original message is following. ---\n\nDKIM-Signature: v=1",
            "5.1.1",
        ),
    ],
)
def test_status_is_found_in_the_text_of_bounces_without_a_standard_report(lines: str, status: str):
    content = f"From: MAILER-DAEMON\nX-Failed-Recipients: {ADA_ADDRESS}\n\n{lines}\n".encode()
    report = read_failure(content)
    assert report
    assert report.status == status


@pytest.mark.parametrize(
    "headers", ["From: Zustelldienst für E-Mail <mailer-daemon@example.org>", "Subject: Bounce"]
)
def test_bounce_with_an_invalid_or_missing_sender_is_recognised(headers: str):
    content = f"{headers}\nX-Failed-Recipients: {ADA_ADDRESS}\n\n550 User unknown\n".encode()
    report = read_failure(content)
    assert report
    assert report.status == "5.1.1"


@pytest.mark.parametrize(
    ("second_status", "status"), [("5.1.2", "5.1.1"), ("5.2.1", "5.2.1"), ("5.2.2", "5.2.2")]
)
def test_mildest_status_of_all_recipients_of_an_alias_is_used(second_status: str, status: str):
    first = b"Final-Recipient: rfc822; ada@elsewhere.example\nAction: failed\nStatus: 5.1.1\n"
    second = first.replace(b"5.1.1", second_status.encode())
    for blocks in ([first, second], [second, first]):
        report = parse_email(REPORT_HEAD + b"\n".join(blocks)).report
        assert report
        assert post.bounce_effect(report.status) == post.bounce_effect(status)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ("Final-Recipient: rfc822; ADA@example.org", "5.1.1"),
        ("Final-Recipient: <ada@example.org> (Ada)", "5.1.1"),
        ("Final-Recipient: rfc822; ada@elsewhere.example", "5.0.0"),
        (
            "Final-Recipient: rfc822; ada@elsewhere.example\n"
            "Original-Recipient: rfc822;ada@example.org",
            "5.1.1",
        ),
        ("Final-Recipient: x-local; ada", "5.1.1"),
    ],
)
def test_clear_status_needs_the_address_of_the_reader(fields: str, status: str):
    block = f"{fields}\nAction: failed\nStatus: 5.1.1\n"
    report = parse_email(REPORT_HEAD + block.encode()).report
    assert report
    assert report.status_for(partial(is_same_address, ADA_ADDRESS)) == status


def test_recipient_may_be_written_in_utf8():
    block = "Final-Recipient: utf-8; ada@grün.example\nAction: failed\nStatus: 5.1.1\n"
    report = parse_email(REPORT_HEAD.replace(b"/delivery", b"/global-delivery") + block.encode())
    assert report.report
    assert report.report.status_for(partial(is_same_address, "ada@xn--grn-ioa.example")) == "5.1.1"


ADA_IS_UNKNOWN = "<ada@example.org>:\n550 5.1.1 User unknown"
BRAM_IS_UNKNOWN = "<bram@example.org>:\n550 5.1.1 User unknown"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (ADA_IS_UNKNOWN, "5.1.1"),
        ("550 5.1.1 User unknown", "5.1.1"),
        (BRAM_IS_UNKNOWN, "5.0.0"),
        ("<bram@example.org>:\n552 5.2.2 Mailbox full", "5.2.2"),
        (f"{BRAM_IS_UNKNOWN}\n\n{ADA_IS_UNKNOWN}", "5.1.1"),
        (f"{BRAM_IS_UNKNOWN}\n\n<ada@example.org>:\n552 5.2.2 Mailbox full", "5.2.2"),
        (f"{BRAM_IS_UNKNOWN}\n\n<ada@example.org>:\nDelayed", "5.0.0"),
        (f"{BRAM_IS_UNKNOWN}\n{ADA_IS_UNKNOWN}", "5.0.0"),
        ("550 5.1.1 User unknown\n\nBram <bram@example.org>\n\nAda <ada@example.org>", "5.0.0"),
        (f"From: site@duels.example\n{ADA_IS_UNKNOWN}\nAsk postmaster@example.org", "5.1.1"),
    ],
)
def test_clear_reason_in_a_text_must_be_about_the_reader(text: str, status: str):
    headers = f"From: MAILER-DAEMON\nTo: site@duels.example\nX-Failed-Recipients: {ADA_ADDRESS}"
    report = read_failure(f"{headers}\n\n{text}\n".encode())
    assert report
    assert report.status == status


@pytest.mark.parametrize(
    ("headers", "is_report"),
    [
        ("From: <>", True),
        ("From: Postmaster <postmaster@example.org>", True),
        ("From: post_master@example.org", True),
        ("From: mail.example.org", True),
        ("From: Bram <bram@example.org>", False),
        ("Subject: Bounce", False),
    ],
)
def test_only_a_mail_system_can_report_an_unknown_user_as_text(headers: str, is_report: bool):
    content = f"{headers}\n\n550 User unknown\n".encode()
    report = read_failure(content)
    assert (report is not None) == is_report


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("550 5.2.1 <ada@example.org>: closed", "5.2.1"),
        ("550 5.2.2 <ada@example.org>: full", "5.2.2"),
        ("<ada@example.org>: closed", None),
        ("550 <ada@example.org>: Connection timed out", None),
    ],
)
def test_mail_system_can_report_any_reason_that_has_a_code(text: str, status: str | None):
    report = read_failure(f"From: MAILER-DAEMON\n\n{text}\n".encode())
    assert (report.status if report else None) == status


REPORT_FIELDS = "Final-Recipient: rfc822; ada@example.org\nAction: failed\nStatus: 5.1.1"


@pytest.mark.parametrize(
    ("sender", "text", "status"),
    [
        ("MAILER-DAEMON", REPORT_FIELDS, "5.1.1"),
        (
            "MAILER-DAEMON",
            f"550 User unknown\n\n{REPORT_FIELDS.replace('5.1.1', '5.2.1')}",
            "5.2.1",
        ),
        (
            "MAILER-DAEMON",
            f"Report:\n\n{REPORT_FIELDS}\n\n{REPORT_FIELDS.replace('1.1', '2.2')}",
            "5.2.2",
        ),
        ("MAILER-DAEMON", f"550 User unknown\n\n{REPORT_FIELDS.replace('failed', 'delayed')}", ""),
        ("MAILER-DAEMON", f"Hello\n\nReceived: by x\n\n{REPORT_FIELDS}", None),
        ("ada@example.org", REPORT_FIELDS, None),
    ],
)
def test_fields_of_a_standard_report_may_be_text(sender: str, text: str, status: str | None):
    report = read_failure(f"From: {sender}\n\n{text}\n".encode())
    assert (report.status if report else None) == status


@pytest.mark.parametrize(
    ("outer", "inner", "is_report"),
    [
        ("Postmaster <postmaster@gateway.example>", "MAILER-DAEMON@example.org", True),
        ("Postmaster <postmaster@gateway.example>", "bram@example.org", False),
        ("bram@example.org", "MAILER-DAEMON@example.org", False),
    ],
)
def test_report_may_be_attached_to_an_email_of_a_mail_system(
    outer: str, inner: str, is_report: bool
):
    head = f"From: {outer}\nContent-Type: multipart/mixed; boundary=a\n\n--a\n"
    attached = f"Content-Type: message/rfc822\n\nFrom: {inner}\n{REPORT_HEAD.decode()}"
    report = read_failure(f"{head}{attached}{REPORT_FIELDS}\n\n--b--\n\n--a--\n".encode())
    assert (report is not None) == is_report


@pytest.mark.parametrize("boundary", ["", "; boundary=c"])
def test_standard_report_is_found_without_the_right_boundary(boundary: str):
    head = f"From: MAILER-DAEMON\n{REPORT_HEAD.decode()}".replace("; boundary=b", boundary)
    report = read_failure(f"{head}{REPORT_FIELDS}\n\n--b--\n".encode())
    assert report
    assert report.status == "5.1.1"


def test_comment_after_the_status_of_a_bounce_makes_it_more_precise(notice: Notice):
    content = bounce_bytes("postfix_no_such_user", make_bounce_address(notice.pk, ADA_ADDRESS))
    content = content.replace(b"Status: 5.1.1", b"Status: 5.0.0 (recipient reached disk quota)")
    report = parse_email(re.sub(rb"(?m)^Diagnostic-Code:.*\n(?:[ \t].*\n)*", b"", content)).report
    assert report
    assert report.status == "5.2.2"


@pytest.mark.parametrize(
    ("code", "text", "status"),
    [
        ("5.0.0", "The mailbox of this user could not be found.", "5.1.1"),
        ("5.0.0", "mx.example.org says: 550 5.1.1 ada", "5.1.1"),
        ("5.0.0", "mx.example.org says: 552 the mailbox is full", "5.2.2"),
        ("5.0.0", "Sorry", "5.0.0"),
        ("5.1.1", "Is the mailbox full, or the address misspelt?", "5.1.1"),
        ("5.2.1", "mx.example.org says: 550 unknown user", "5.2.1"),
        ("5.7.1", "mx.example.org says: 550 unknown user", "5.7.1"),
    ],
)
def test_text_gives_the_reason_if_a_standard_report_does_not(code: str, text: str, status: str):
    content = bounce_bytes("postfix_no_such_user", "bounce@replies.example")
    content = re.sub(rb"(?m)^Diagnostic-Code:.*\n(?:[ \t].*\n)*", b"", content)
    content = content.replace(b"Status: 5.1.1", f"Status: {code}".encode())
    content = re.sub(
        rb"(?s)(\nContent-Type: text/plain.*?\n\n).*?(\n--)",
        lambda found: found[1] + text.encode() + found[2],
        content,
    )
    report = parse_email(content).report
    assert report
    assert report.status == status


@pytest.mark.parametrize(("text", "status"), [("User unknown", "5.0.0"), ("Box full", "5.2.2")])
def test_text_is_not_a_clear_reason_for_several_recipients(text: str, status: str):
    block = "Final-Recipient: rfc822; ada@example.org\nAction: failed\nStatus: 5.0.0\n"
    head = REPORT_HEAD.replace(b"--b\n", f"--b\n\n550 {text}\n--b\n".encode())
    report = parse_email(head + f"{block}\n{block.replace('ada', 'bram')}".encode()).report
    assert report
    assert report.status == status


@pytest.mark.parametrize(("code", "has_failed"), [("5.1.1", True), ("4.2.2", False)])
def test_standard_report_is_found_in_an_email_of_the_wrong_type(code: str, has_failed: bool):
    """The report takes precedence over signs of another format, such as Exim's header."""
    content = bounce_bytes("postfix_no_such_user", make_bounce_address(1, ADA_ADDRESS))
    content = content.replace(b"multipart/report", b"multipart/mixed", 1)
    content = content.replace(b"\n\n", f"\nX-Failed-Recipients: {ADA_ADDRESS}\n\n".encode(), 1)
    report = parse_email(content.replace(b"Status: 5.1.1", f"Status: {code}".encode())).report
    assert report
    assert report.has_failed == has_failed


# Bounces with any content that a stranger could send

REPORT_FRAGMENTS = st.sampled_from(
    [
        b"Content-Type: multipart/report; boundary=b", b"--b", b"--b--", b"\n", b"\n\n",
        b"Content-Type: message/delivery-status", b"Content-Type: message/feedback-report",
        b"Content-Type: message/global-delivery-status", b"Content-Type: text/rfc822-headers",
        b"Content-Type: message/rfc822", b"Content-Transfer-Encoding: base64", b"Action: failed",
        b"Content-Transfer-Encoding: quoted-printable", b"Action: \xff\xfe", b"Status: 5.1.1",
        b"Status: =?utf-7?q?5.1.1?=", b"Status: 5.1", b"Final-Recipient: rfc822;", b"Status:",
        b"Feedback-Type: abuse", b"Feedback-Type: ", b"Original-Mail-From: <<\xff>>",
        b"Return-Path: <bounce+1-aaaaaaaa-aaaaaaaaaaaaaaaaaaaaaaaaaa@replies.example>",
        b"Diagnostic-Code: smtp; 550", b"Reporting-MTA: dns; x", b"Return-Path: <>",
    ]
)  # fmt: skip
RANDOM_REPORTS = st.lists(REPORT_FRAGMENTS | st.binary(max_size=20), max_size=30).map(
    lambda parts: b"Content-Type: multipart/report; boundary=b\n\n--b\n" + b"\n".join(parts)
)


@given(RANDOM_REPORTS)
@settings(max_examples=daily.examples(500))
def test_report_with_arbitrary_bytes_does_not_cause_a_crash(content: bytes):
    try:
        read_failure(content)
    except UnreadableMail:
        return


@pytest.mark.parametrize(
    "content",
    [
        REPORT_HEAD
        + b"Final-Recipient: rfc822; a@b.example\nAction: failed\nStatus: 5.1.1\n\n" * 15_000,
        REPORT_HEAD.replace(b"--b\n", b"--b\n\n" + b"550 exceeded a " * 60_000 + b"\n--b\n", 1)
        + b"Action: failed\nStatus: 5.0.0\n\n" * 90,
        REPORT_HEAD + b"Action: failed\nStatus: " + b"5." * 400_000,
        REPORT_HEAD + b"\n" * 900_000,
        REPORT_HEAD + b"Diagnostic-Code: smtp;" + b" " * 900_000,
        REPORT_HEAD.replace(b"delivery", b"global-delivery") + b"A: b\n\n" * 150_000,
        REPORT_HEAD.replace(b"delivery-status", b"feedback-report")
        + b"Feedback-Type: abuse\n" * 40_000,
        REPORT_HEAD.replace(b"delivery-status", b"rfc822") * 5_000,
        REPORT_HEAD * 10_000,
        b"X-Mailer: <SMTP32 v>\n\n" + b"unknown user " * 80_000,
        b"From: MAILER-DAEMON\n\n" + b"550 " * 250_000,
        b"From: MAILER-DAEMON\n\n550 " + b"\n \t" * 250_000,
        b"From: MAILER-DAEMON\n\n550 " + b"a@b.c\n\n" * 100_000,
        b"From: MAILER-DAEMON\n\n550 " + b"exceeded a " * 90_000,
        b"X-Failed-Recipients: " + b"a@b, " * 180_000,
    ],
    ids=lambda content: repr(content[60:120]),
)
@pytest.mark.timeout(20)
def test_large_hostile_bounces_are_parsed_within_seconds(content: bytes):
    try:
        read_failure(content)
    except UnreadableMail:
        return
