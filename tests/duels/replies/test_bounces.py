"""Bounces of the site's emails, in the formats of many mail servers, and spam complaints."""

import logging
import smtplib
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail import EmailMessage
from pytest_django import Settings

from duels.models import Orders, OutboxStatus, Wizard
from duels.post.bounce_address import make_bounce_address, parse_bounce_address
from duels.post.commands import bouncing, delivering
from duels.post.models import Notice, SilencedAddress, SilencedFor
from duels.post.public import make_reply_address, silenced_addresses
from duels.post.queries import address_of
from duels.replies.models import Reply
from duels.replies.public import ReplyOutcome, receive_email
from tests.cast import LATER, Cast, challenge, deliver, signed_in
from tests.duels.replies.bounce_emails import (
    ADA_ADDRESS,
    BOUNCE_NAMES,
    bounce_bytes,
    receive_bounce,
)
from tests.duels.replies.ways_in import read_from_pipe, running_listener

pytestmark = pytest.mark.usefixtures("bounces_are_on")

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
    text = bounce_bytes("complaint", make_bounce_address(notice.pk, ADA_ADDRESS))
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
