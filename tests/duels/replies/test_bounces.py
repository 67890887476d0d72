"""Bounces of the site's emails, in the formats of many mail servers, and spam complaints."""

import logging
import re
import smtplib
from datetime import timedelta
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail import EmailMessage
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest_django import Settings

from duels.models import Orders, OutboxStatus, Wizard
from duels.post import public as post
from duels.post.bounce_address import make_bounce_address, parse_bounce_address
from duels.post.commands import bouncing, delivering
from duels.post.models import Notice, SilencedAddress, SilencedFor, UnclearBounce
from duels.post.public import make_reply_address, silenced_addresses
from duels.post.queries import address_of
from duels.replies.message import UnreadableMail, parse_email, parse_failure
from duels.replies.models import Reply
from duels.replies.public import ReplyOutcome, receive_email
from tests import daily
from tests.cast import LATER, Cast, challenge, deliver, signed_in
from tests.duels.replies.ways_in import read_from_pipe, running_listener

BOUNCES_FOLDER = Path(__file__).parent / "bounces"
BOUNCE_NAMES = sorted(path.stem for path in BOUNCES_FOLDER.glob("*.eml"))
ADA_ADDRESS = "ada@example.org"

# Bounces that turn an address off at once, and the codes that its owner sees.
FAILURE_STATUSES = {
    "alias_reaches_nobody": "5.1.1",
    "amazon_ses_bounce": "5.1.1",
    "exchange_no_such_user": "5.1.10",
    "exim_of_long_ago": "5.1.1",
    "exim_unrouteable": "5.1.1",
    "gmail_no_such_user": "5.1.1",
    "no_status_but_a_diagnosis": "5.1.1",
    "postfix_latin1": "5.1.1",
    "postfix_no_such_user": "5.1.1",
    "postfix_old_macs": "5.1.1",
    "postfix_windows_lines": "5.1.1",
    "qmail_no_such_user": "5.1.1",
    "router_no_such_user": "5.1.1",
    "sendmail_no_such_user": "5.1.1",
    "utf8_addresses": "5.1.1",
}
COMPLAINT_NAMES = {
    "complaint",
    "complaint_named_by_the_mail_alone",
    "complaint_with_headers_only",
}


@pytest.fixture(autouse=True)
def _bounces_are_on(settings: Settings):
    settings.BOUNCE_DOMAIN = "replies.example"


@pytest.fixture
def notice(cast: Cast) -> Notice:
    """The notice whose email was sent to Ada."""
    challenge(cast.bram, cast.ada)
    deliver()
    return Notice.objects.get(wizard=cast.ada)


def bounce_bytes(name: str, returns_to: str) -> bytes:
    content = (BOUNCES_FOLDER / f"{name}.eml").read_bytes()
    return content.replace(b"bounce+TOKEN@replies.example", returns_to.encode())


def receive_bounce(
    notice: Notice, name: str = "postfix_no_such_user", *, address: str = ADA_ADDRESS
) -> ReplyOutcome:
    return receive_email(raw=bounce_bytes(name, make_bounce_address(notice.pk, address)), now=LATER)


def test_samples_include_bounces_from_many_mail_servers():
    assert len(BOUNCE_NAMES) >= 15
    assert set(BOUNCE_NAMES) > {*FAILURE_STATUSES, *COMPLAINT_NAMES}


@pytest.mark.parametrize("name", BOUNCE_NAMES)
def test_only_a_complaint_or_a_nonexistent_mailbox_turns_the_address_off(
    notice: Notice, cast: Cast, name: str
):
    outcome = receive_bounce(notice, name)
    is_off = name in FAILURE_STATUSES or name in COMPLAINT_NAMES
    assert (outcome == ReplyOutcome.CAME_BACK) == is_off
    assert (address_of(cast.ada) == "") == is_off
    assert not Reply.objects.exists()
    if is_off:
        (silenced,) = silenced_addresses(cast.ada)
        assert silenced.address == ADA_ADDRESS
        assert silenced.answer == FAILURE_STATUSES.get(name, "")
        complains = name in COMPLAINT_NAMES
        assert silenced.cause == (SilencedFor.COMPLAINT if complains else SilencedFor.BOUNCE)


@pytest.mark.parametrize("name", BOUNCE_NAMES)
def test_bounce_sent_to_an_address_for_orders_changes_nothing(
    notice: Notice, cast: Cast, name: str
):
    outcome = receive_email(raw=bounce_bytes(name, make_reply_address(cast.ada.pk, 1)), now=LATER)
    assert outcome in (ReplyOutcome.AUTOMATIC, ReplyOutcome.UNKNOWN)
    assert address_of(cast.ada) == ADA_ADDRESS


def test_bounce_is_recognised_even_if_its_token_is_only_in_the_envelope(notice: Notice, cast: Cast):
    content = bounce_bytes("postfix_no_such_user", "undisclosed@elsewhere.example")
    assert receive_email(raw=content, now=LATER, envelope_sender="") == ReplyOutcome.AUTOMATIC
    to = make_bounce_address(notice.pk, ADA_ADDRESS)
    outcome = receive_email(raw=content, now=LATER, envelope_sender="", recipients=[to])
    assert outcome == ReplyOutcome.CAME_BACK


# Status codes


def receive_bounce_with_status(notice: Notice, status: str, sentence: str) -> ReplyOutcome:
    """Receive a bounce with this status code and this response of the rejecting server."""
    content = bounce_bytes("postfix_no_such_user", make_bounce_address(notice.pk, ADA_ADDRESS))
    old = b"Status: 5.1.1"
    assert content.count(old) == 1
    content = content.replace(old, f"Status: {status}".encode())
    diagnosis = b"550 5.1.1 <ada@example.org>: Recipient address rejected: User unknown\n\n--"
    assert content.count(diagnosis) == 1
    return receive_email(raw=content.replace(diagnosis, f"{sentence}\n\n--".encode()), now=LATER)


@pytest.mark.parametrize(
    ("status", "sentence", "is_off"),
    [
        ("5.1.1", "550 5.1.1 User unknown", True),
        ("5.1.2", "550 5.1.2 Bad destination", True),
        ("5.1.3", "553 5.1.3 Syntax", True),
        ("5.1.6", "551 5.1.6 Moved", True),
        ("5.1.10", "556 5.1.10 Null MX", True),
        ("5.0.0", "550 no such user here", True),
        ("5.0.0", "550 5.1.1 ada", True),
        ("5.1.351", "550 5.1.351 Remote server returned unknown recipient", True),
        ("5.1.1", "550 5.1.1 Message refused: 192.0.2.10 is on a blacklist", False),
        ("5.1.1", "550 5.1.1 Rejected according to the recipient's preferences", False),
        ("5.1.1", "550 5.1.1 This mailbox is temporarily suspended", False),
        ("5.1.1", "550 5.1.1 The account has been disabled or is inactive", False),
        ("5.1.1", "550 5.1.1 Your message cannot be delivered: mailbox full", False),
        ("5.1.1", "550 5.1.1 Relaying of emails for this domain denied", False),
        ("5.1.1", "550 5.1.1 User unknown. We do not relay.", False),
        ("5.1.1", "550 5.1.1 User unknown in relay recipient table", True),
        ("5.1.1", "550 5.1.1 User unknown [relay-2.example.org]", True),
        ("5.1.1", "550 5.1.1 User unknown, says relay1.example.org", True),
        ("5.1.1", "550 5.1.1 User unknown or account disabled", True),
        ("5.1.1", "550 5.1.1 The account does not exist. Check it and try again", True),
        ("5.1.0", "553 5.1.0 duels.example does not exist (in reply to MAIL FROM)", False),
        ("5.0.0", "550 User unknown", True),
        ("5.0.0", "550 Mailbox full", False),
        ("5.0.0", "554 rejected", False),
        ("5.0.0", "Name service error for example.org: Host not found, try again", False),
        ("5.0.0", "550 host mx.example.org not found", True),
        ("5.0.0", "550 <ada@example.org>... Addressee unknown, relay=[192.0.2.1]", True),
        ("5.0.0", "550-<ada@example.org> is not a known user here; 550 see our page", True),
        ("5.0.0", "550 BAD_RECIPIENT: see our page", True),
        ("5.0.0", "550 ** No mail box available for this user **", True),
        ("5.0.0", "User Ada (ada@example.org) not listed in Domino Directory", True),
        ("5.0.0", "554 ada doesn't have an example.org account", True),
        ("5.0.0", "554 You do not have a business account", False),
        ("5.0.0", "550 User not exist", True),
        ("5.0.0", "550 Invalid final delivery userid", True),
        ("5.0.0", "The MX record of example.org indicated no SMTP service", True),
        ("5.0.0", "550 Mailbox not found. Correct the address and try again.", True),
        ("5.0.0", "550 Mailbox not found at the moment, please try again", False),
        ("5.0.0", "550 Requested action not taken: mailbox unavailable", False),
        ("5.1.8", "550 5.1.8 Domain of sender address does not exist", False),
        ("5.2.1", "550 5.2.1 The account is disabled", False),
        ("5.2.2", "552 5.2.2 Over quota", False),
        ("5.2.3", "552 5.2.3 Message too large", False),
        ("5.3.4", "552 5.3.4 Message too large", False),
        ("5.4.4", "", False),
        ("5.4.7", "Delivery time expired", False),
        ("5.6.1", "554 5.6.1 Media not supported", False),
        ("5.7.1", "554 5.7.1 User unknown or spam", False),
        ("5.7.26", "550 5.7.26 Unauthenticated email is not accepted", False),
        ("5.7.708", "550 5.7.708 Access denied, traffic not accepted", False),
    ],
)
def test_address_is_turned_off_at_once_only_if_it_does_not_exist(
    notice: Notice, cast: Cast, status: str, sentence: str, is_off: bool
):
    assert (
        receive_bounce_with_status(notice, status, sentence) == ReplyOutcome.CAME_BACK
    ) == is_off
    assert (address_of(cast.ada) == "") == is_off


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
    report = parse_failure(content, parse_email(content))
    assert report
    assert report.status == status


@pytest.mark.parametrize(
    "headers", ["From: Zustelldienst für E-Mail <mailer-daemon@example.org>", "Subject: Bounce"]
)
def test_bounce_with_an_invalid_or_missing_sender_is_recognised(headers: str):
    content = f"{headers}\nX-Failed-Recipients: {ADA_ADDRESS}\n\n550 User unknown\n".encode()
    report = parse_failure(content, parse_email(content))
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
    ("headers", "is_report"),
    [
        ("From: <>", True),
        ("From: Postmaster <postmaster@example.org>", True),
        ("From: Bram <bram@example.org>", False),
        ("Subject: Bounce", False),
    ],
)
def test_only_a_mail_system_can_report_an_unknown_user_as_text(headers: str, is_report: bool):
    content = f"{headers}\n\n550 User unknown\n".encode()
    report = parse_failure(content, parse_email(content))
    assert (report is not None) == is_report


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


@pytest.mark.parametrize(("code", "has_failed"), [("5.1.1", True), ("4.2.2", False)])
def test_standard_report_is_found_in_an_email_of_the_wrong_type(code: str, has_failed: bool):
    """The report takes precedence over signs of another format, such as Exim's header."""
    content = bounce_bytes("postfix_no_such_user", make_bounce_address(1, ADA_ADDRESS))
    content = content.replace(b"multipart/report", b"multipart/mixed", 1)
    content = content.replace(b"\n\n", f"\nX-Failed-Recipients: {ADA_ADDRESS}\n\n".encode(), 1)
    report = parse_email(content.replace(b"Status: 5.1.1", f"Status: {code}".encode())).report
    assert report
    assert report.has_failed == has_failed


def add_notices_on_days(cast: Cast, *days: int) -> list[Notice]:
    """Return all notices whose emails were sent to Ada, after adding one for each of these days."""
    for day in days:
        challenge(cast.bram, cast.ada, now=LATER + timedelta(days=day))
    for each in Notice.objects.filter(wizard=cast.ada, status=OutboxStatus.QUEUED):
        Notice.objects.filter(pk=each.pk).update(sent_at=each.created_at, status=OutboxStatus.SENT)
    return list(Notice.objects.filter(wizard=cast.ada).order_by("pk"))


def test_ambiguous_bounces_on_several_days_turn_off_the_address(cast: Cast):
    """An outage of one evening causes many bounces, but not on several days."""
    notices = add_notices_on_days(cast, 0, 0, 0, 0, 1, 2, 3)
    for each in notices[:5]:
        assert receive_bounce_with_status(each, "5.2.1", "550 disabled") == ReplyOutcome.AUTOMATIC
        assert receive_bounce_with_status(each, "5.2.1", "550 disabled") == ReplyOutcome.AUTOMATIC
    assert receive_bounce_with_status(notices[5], "5.7.1", "550 spam") == ReplyOutcome.AUTOMATIC
    assert address_of(cast.ada) == ADA_ADDRESS
    assert receive_bounce_with_status(notices[6], "5.4.4", "") == ReplyOutcome.CAME_BACK
    assert address_of(cast.ada) == ""


def test_old_unclear_bounces_do_not_count_after_the_address_is_turned_on(cast: Cast):
    first, *others, last = add_notices_on_days(cast, 0, 1, 2, 3, 50, 51, 52, 53)
    for each in (first, *others[:3]):
        receive_bounce_with_status(each, "5.0.0", "554 rejected")
    assert address_of(cast.ada) == ""
    bouncing.reactivate_addresses(wizard=cast.ada, now=LATER + timedelta(days=4))
    for each in (first, *others):
        assert receive_bounce_with_status(each, "5.0.0", "554 rejected") == ReplyOutcome.AUTOMATIC
    assert receive_bounce_with_status(last, "5.0.0", "554 rejected") == ReplyOutcome.CAME_BACK


def test_old_unclear_bounces_are_deleted(cast: Cast, notice: Notice):
    receive_bounce_with_status(notice, "5.0.0", "554 rejected")
    delivering.delete_old_notices(now=LATER)
    assert UnclearBounce.objects.count() == 1
    delivering.delete_old_notices(now=LATER + timedelta(days=31))
    assert not UnclearBounce.objects.exists()


# Bounce tokens


def test_each_email_sent_by_smtp_has_a_bounce_address_of_its_own(notice: Notice):
    (message,) = mail.outbox
    assert isinstance(message, EmailMessage)
    holder = parse_bounce_address(message.from_email)
    assert holder is not None
    assert holder.notice_id == notice.pk
    assert holder.is_of("Ada@example.ORG")
    assert not holder.is_of("bram@example.org")
    assert message.message()["From"] == "Spellcaster <spellcaster@localhost>"
    assert len(message.from_email.partition("@")[0]) <= 64


@pytest.mark.parametrize(
    "changes", [{"BOUNCE_DOMAIN": ""}, {"EMAIL_SERVICE": "postmark"}], ids=["off", "by a service"]
)
def test_emails_have_one_sender_without_smtp_or_a_bounce_domain(
    cast: Cast, settings: Settings, changes: dict[str, str]
):
    for name, value in changes.items():
        setattr(settings, name, value)
    challenge(cast.bram, cast.ada)
    deliver()
    assert mail.outbox[0].from_email == "Spellcaster <spellcaster@localhost>"
    assert mail.outbox[0].message()["From"] == "Spellcaster <spellcaster@localhost>"


def test_forged_bounce_tokens_are_rejected(notice: Notice, cast: Cast, settings: Settings):
    ours = make_bounce_address(notice.pk, ADA_ADDRESS)
    local, _, domain = ours.partition("@")
    number, digest, mac = local.removeprefix("bounce+").split("-")
    forged = [
        f"bounce+{notice.pk + 1}-{digest}-{mac}@{domain}",
        f"bounce+{number}-{digest[::-1]}-{mac}@{domain}",
        f"bounce+{number}-{digest}-{mac[::-1]}@{domain}",
        f"bounce+{number}-{digest}-@{domain}",
        f"reply+{number}-{digest}-{mac}@{domain}",
        f"{local}@elsewhere.example",
        make_reply_address(cast.ada.pk, 1),
        local,
        "",
    ]
    assert [parse_bounce_address(each) for each in forged] == [None] * len(forged)
    for each in forged:
        receive_email(raw=bounce_bytes("postfix_no_such_user", each), now=LATER)
    settings.SECRET_KEY = "another"
    assert parse_bounce_address(ours) is None
    settings.BOUNCE_DOMAIN = ""
    assert parse_bounce_address(ours) is None
    assert not SilencedAddress.objects.exists()


def test_bounce_token_affects_only_the_address_for_which_it_was_made(notice: Notice, cast: Cast):
    """Recipients can see the tokens of their emails, but each is valid only for one address."""
    text = bounce_bytes("postfix_no_such_user", make_bounce_address(notice.pk, ADA_ADDRESS))
    about_bram = text.replace(b"ada@example.org", b"bram@example.org")
    assert receive_email(raw=about_bram, now=LATER) == ReplyOutcome.CAME_BACK
    assert [each.address for each in SilencedAddress.objects.all()] == [ADA_ADDRESS]
    assert address_of(cast.bram) == "bram@example.org"


def test_bounce_of_a_replaced_address_has_no_effect(notice: Notice, cast: Cast):
    EmailAddress.objects.filter(user=cast.ada.user).update(email="ada@example.net")
    assert receive_bounce(notice) == ReplyOutcome.AUTOMATIC
    assert address_of(cast.ada) == "ada@example.net"
    assert not SilencedAddress.objects.exists()


def test_bounce_of_a_deleted_notice_has_no_effect(notice: Notice):
    to = make_bounce_address(notice.pk, ADA_ADDRESS)
    notice.delete()
    assert (
        receive_email(raw=bounce_bytes("postfix_no_such_user", to), now=LATER)
        == ReplyOutcome.AUTOMATIC
    )


# Repeated and late bounces


def test_repeated_bounce_is_counted_once(notice: Notice, cast: Cast):
    assert receive_bounce(notice) == ReplyOutcome.CAME_BACK
    assert receive_bounce(notice) == ReplyOutcome.AUTOMATIC
    assert SilencedAddress.objects.count() == 1


def test_only_new_bounces_count_after_an_address_is_turned_on_again(notice: Notice, cast: Cast):
    receive_bounce(notice)
    assert bouncing.reactivate_addresses(wizard=cast.ada, now=LATER) == 1
    assert receive_bounce(notice) == ReplyOutcome.AUTOMATIC
    assert address_of(cast.ada) == ADA_ADDRESS
    challenge(cast.cleo, cast.ada, now=LATER)
    deliver(now=LATER + timedelta(minutes=1))
    newer = Notice.objects.filter(wizard=cast.ada).latest("pk")
    assert receive_bounce(newer, "complaint") == ReplyOutcome.CAME_BACK
    assert [each.cause for each in silenced_addresses(cast.ada)] == [SilencedFor.COMPLAINT]
    assert SilencedAddress.objects.count() == 1


def test_record_of_a_bounce_is_kept_until_its_address_is_turned_on_again(
    notice: Notice, cast: Cast
):
    receive_bounce(notice)
    long_after = LATER + timedelta(days=365)
    delivering.delete_old_notices(now=long_after)
    assert SilencedAddress.objects.count() == 1
    bouncing.reactivate_addresses(wizard=cast.ada, now=LATER)
    delivering.delete_old_notices(now=long_after)
    assert not SilencedAddress.objects.exists()


# Pages of the owner of an address


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gmail_no_such_user", "an email to this address bounced (5.1.1)."),
        ("complaint", "an email from us was reported there as spam."),
    ],
)
def test_owner_sees_the_bounce_and_can_turn_the_address_on(
    notice: Notice, cast: Cast, name: str, words: str
):
    receive_bounce(notice, name)
    client = signed_in(cast.ada)
    assert "Your emails are turned off" in client.get("/").content.decode()
    shown = client.get("/settings/mail").content.decode()
    assert ADA_ADDRESS in shown
    assert words in shown
    assert "Bounced." in shown
    assert client.post("/settings/mail/on").status_code == 302
    assert address_of(cast.ada) == ADA_ADDRESS
    assert "Your emails are turned off" not in client.get("/").content.decode()


def test_email_that_bounced_can_be_sent_again(notice: Notice, cast: Cast):
    receive_bounce(notice)
    bouncing.reactivate_addresses(wizard=cast.ada, now=LATER)
    delivering.resend_own_notice(notice_id=notice.pk, wizard=cast.ada, now=LATER)
    assert deliver(now=LATER) == 1
    notice.refresh_from_db()
    assert (notice.status, notice.last_error) == (OutboxStatus.SENT, "")


def test_server_log_contains_no_addresses_of_bounced_emails(
    notice: Notice, caplog: pytest.LogCaptureFixture
):
    with caplog.at_level(logging.DEBUG):
        receive_bounce(notice)
        receive_bounce(notice, "exim_unrouteable")
    assert f"Emails to wizard {notice.wizard_id} are turned off" in caplog.text
    assert "example.org" not in caplog.text


# Delivery by pipe or LMTP


def test_bounce_received_by_pipe_is_processed(
    notice: Notice, cast: Cast, monkeypatch: pytest.MonkeyPatch
):
    content = bounce_bytes("sendmail_no_such_user", make_bounce_address(notice.pk, ADA_ADDRESS))
    assert read_from_pipe(monkeypatch, content) == ReplyOutcome.CAME_BACK.label
    assert address_of(cast.ada) == ""


def test_complaint_by_pipe_need_not_be_sent_to_an_address_of_the_site(
    notice: Notice, cast: Cast, monkeypatch: pytest.MonkeyPatch
):
    """Providers send complaints to an address that the operator has registered with them."""
    content = bounce_bytes("complaint", make_bounce_address(notice.pk, ADA_ADDRESS))
    to = ("--recipient", "abuse@duels.example")
    assert read_from_pipe(monkeypatch, content, *to) == ReplyOutcome.CAME_BACK.label
    assert address_of(cast.ada) == ""


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_bounce_received_by_lmtp_is_processed(cast: Cast):
    challenge(cast.bram, cast.ada)
    deliver()
    to = make_bounce_address(Notice.objects.get(wizard=cast.ada).pk, ADA_ADDRESS)
    with running_listener(is_lmtp=True) as port, smtplib.LMTP("127.0.0.1", port) as server:
        server.ehlo_or_helo_if_needed()
        assert server.mail("<>")[0] == 250
        assert server.rcpt("bounce+1-aaaaaaaa-aaaaaaaaaaaaaaaaaaaaaaaaaa@replies.example")[0] == 550
        assert server.rcpt(to)[0] == 250
        content = bounce_bytes("postfix_windows_lines", to)
        assert server.data(content) == (250, b"2.0.0 bounced email")
    assert address_of(Wizard.objects.get(pk=cast.ada.pk)) == ""


def test_orders_sent_to_a_bounce_address_are_ignored(notice: Notice):
    to = make_bounce_address(notice.pk, ADA_ADDRESS)
    letter = f"From: {ADA_ADDRESS}\nTo: {to}\n\nleft P\nright W".encode()
    assert receive_email(raw=letter, now=LATER) == ReplyOutcome.AUTOMATIC
    assert not Orders.objects.exists()
    assert not SilencedAddress.objects.exists()


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
        parse_failure(content, parse_email(content))
    except UnreadableMail:
        return


REPORT_HEAD = (
    b"Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n"
)


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
        b"From: MAILER-DAEMON\n\n550 " + b"exceeded a " * 90_000,
        b"X-Failed-Recipients: " + b"a@b, " * 180_000,
    ],
    ids=lambda content: repr(content[60:120]),
)
@pytest.mark.timeout(20)
def test_large_hostile_bounces_are_parsed_within_seconds(content: bytes):
    try:
        parse_failure(content, parse_email(content))
    except UnreadableMail:
        return
