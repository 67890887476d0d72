"""Addresses whose emails bounce, and the log that shows wizards what happened to their emails."""

from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any
from unittest import mock

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks

from duels import errors
from duels.models import OutboxStatus
from duels.post import limits
from duels.post.commands import bouncing, delivering
from duels.post.mail_server import permanent_refusal, unclear_refusal
from duels.post.models import Notice, SilencedAddress
from duels.post.queries import address_of, silenced_addresses
from tests.cast import NOW, Cast, begin, challenge, deliver, signed_in

NO_SUCH_USER_ERROR = SMTPRecipientsRefused({"bram@example.org": (550, b"5.1.1 no such user")})


@pytest.fixture
def bounced_notice(cast: Cast) -> Notice:
    """An email to Bram that his server rejected."""
    challenge(cast.ada, cast.bram)
    with mock.patch.object(EmailMultiAlternatives, "send", side_effect=NO_SUCH_USER_ERROR):
        deliver()
    return Notice.objects.get()


# Addresses


def test_nonexistent_address_is_turned_off_at_once(bounced_notice: Notice, cast: Cast):
    assert (bounced_notice.status, bounced_notice.last_error) == (
        OutboxStatus.FAILED,
        "refused: 550 5.1.1",
    )
    assert address_of(cast.bram) == ""
    challenge(cast.cleo, cast.bram)
    assert deliver() == 0
    assert Notice.objects.latest("pk").dropped_for == "no_address"


def test_bounce_of_one_address_does_not_turn_off_other_addresses(
    bounced_notice: Notice, cast: Cast
):
    challenge(cast.ada, cast.cleo)
    assert deliver() == 1
    EmailAddress.objects.create(user=cast.bram.user, email="b@example.net", verified=True)
    challenge(cast.cleo, cast.bram)
    assert deliver() == 1
    assert mail.outbox[-1].to == ["b@example.net"]


def test_owner_sees_that_an_address_is_turned_off_and_can_turn_it_on(
    bounced_notice: Notice, cast: Cast
):
    client = signed_in(cast.bram)
    assert "Your emails are turned off" in client.get("/").content.decode()
    shown = client.get("/settings/mail").content.decode()
    assert "bram@example.org" in shown
    assert "550 5.1.1" in shown
    assert client.get("/settings/mail/on").status_code == 302
    assert silenced_addresses(cast.bram)
    assert client.post("/settings/mail/on").status_code == 302
    assert not silenced_addresses(cast.bram)
    assert address_of(cast.bram) == "bram@example.org"
    assert "turned off" not in client.get("/").content.decode()


def test_owner_sees_which_addresses_are_turned_off_in_any_spelling(cast: Cast):
    """Secondary addresses count too, and so does a main address that bounced in punycode."""
    user = cast.bram.user
    assert user is not None
    EmailAddress.objects.filter(user=user).update(email="bram@bücher.example")
    user.email = "bram@bücher.example"
    user.save()
    EmailAddress.objects.create(user=user, email="second@example.org", verified=True)
    for address in ("Second@example.org", "bram@xn--bcher-kva.example"):
        bouncing.silence_address(address=address, answer="550", now=NOW)
    assert len(silenced_addresses(cast.bram)) == 2
    assert address_of(cast.bram) == ""
    assert not silenced_addresses(cast.ada)


def test_only_the_owner_can_turn_an_address_on_again(bounced_notice: Notice, cast: Cast):
    client = signed_in(cast.ada)
    for page in ("/", "/settings/mail"):
        assert "turned off" not in client.get(page).content.decode()
    client.post("/settings/mail/on")
    assert silenced_addresses(cast.bram)


def test_address_that_is_turned_off_is_recognised_in_upper_case(cast: Cast):
    for address in ("bram@example.org", "Bram@Example.org"):
        bouncing.silence_address(address=address, answer="550", now=NOW)
    assert SilencedAddress.objects.count() == 1
    assert address_of(cast.bram) == ""


@pytest.mark.parametrize(
    ("code", "text", "answer"),
    [
        (550, b"5.1.1 no such user", "550 5.1.1"),
        (550, b"5.1.2 no such domain", "550 5.1.2"),
        (551, b"5.1.6 moved", "551 5.1.6"),
        (556, b"5.1.10 takes no mail", "556 5.1.10"),
        (550, b"5.1.0 address rejected", ""),
        (550, b"5.1.7 bad sender", ""),
        (550, b"5.1.8 sender's domain does not exist", ""),
        (550, b"5.1.11", ""),
        (550, b"no such user", ""),
        (550, b"relay not permitted", ""),
        (553, b"5.1.3 bad address", "553 5.1.3"),
        (550, b"5.7.1 looks like spam", ""),
        (550, b"5.1.1 your server is on a blacklist", ""),
        (550, b"5.2.2 box is full", ""),
        (552, b"box is full", ""),
        (450, b"4.1.1 try later", ""),
        (554, b"go away", ""),
    ],
)
def test_rejection_is_permanent_only_if_the_address_does_not_exist(
    code: int, text: bytes, answer: str
):
    assert permanent_refusal(SMTPRecipientsRefused({"a@example.org": (code, text)})) == answer


@pytest.mark.parametrize(
    ("code", "text", "answer"),
    [
        (550, b"relay not permitted", "550"),
        (551, b"user not local", "551"),
        (553, b"sorry, no mailbox here", "553"),
        (550, b"5.7.1 relaying denied", ""),
        (550, b"5.1.1 no such user", ""),
        (550, b"4.7.1 try later", ""),
        (450, b"no such user", ""),
        (554, b"go away", ""),
    ],
)
def test_some_rejections_without_an_extended_code_are_unclear(code: int, text: bytes, answer: str):
    assert unclear_refusal(SMTPRecipientsRefused({"a@example.org": (code, text)})) == answer


RELAY_NOT_PERMITTED_ERROR = SMTPRecipientsRefused(
    {"bram@example.org": (550, b"relay not permitted")}
)


def reject_until_abandoned() -> Notice:
    """Let the server reject an email to Bram with a basic code only, until the site gives up."""
    while (notice := Notice.objects.get(wizard__slug="bram")).status == OutboxStatus.QUEUED:
        assert not SilencedAddress.objects.exists()
        with mock.patch.object(
            EmailMultiAlternatives, "send", side_effect=RELAY_NOT_PERMITTED_ERROR
        ):
            delivering.deliver_notice(notice_id=notice.pk, now=notice.due_at)
    assert notice.due_at - NOW > timedelta(days=1)
    return notice


def test_address_is_not_turned_off_if_the_server_rejects_all_emails(cast: Cast):
    challenge(cast.ada, cast.bram)
    notice = reject_until_abandoned()
    assert (notice.status, notice.last_error) == (OutboxStatus.FAILED, "refused: 550")
    assert address_of(cast.bram) == "bram@example.org"


def test_address_rejected_for_a_day_is_turned_off_if_other_addresses_accept_email(cast: Cast):
    challenge(cast.ada, cast.bram)
    challenge(cast.ada, cast.cleo, now=NOW + timedelta(hours=12))
    to_cleo = Notice.objects.get(wizard=cast.cleo)
    assert delivering.deliver_notice(notice_id=to_cleo.pk, now=to_cleo.due_at)
    assert reject_until_abandoned().status == OutboxStatus.FAILED
    assert address_of(cast.bram) == ""
    assert SilencedAddress.objects.get().answer == "550"
    assert address_of(cast.cleo) == "cleo@example.org"


def test_temporarily_rejected_email_is_retried(cast: Cast):
    challenge(cast.ada, cast.bram)
    full = SMTPRecipientsRefused({"bram@example.org": (452, b"4.2.2 box is full")})
    with mock.patch.object(EmailMultiAlternatives, "send", side_effect=full):
        deliver()
    assert Notice.objects.get().status == OutboxStatus.QUEUED
    assert not SilencedAddress.objects.exists()


# The log in which wizards see what happened to their emails


def email_log(client: Client) -> str:
    shown = client.get("/settings/mail").content.decode()
    return " ".join(shown.partition("data-mail-log>")[2].partition("</ul>")[0].split())


def test_email_log_shows_the_status_of_each_email(cast: Cast):
    client = signed_in(cast.bram)
    assert "No emails about duels or messages yet." in client.get("/settings/mail").content.decode()
    challenge(cast.ada, cast.bram)
    assert "Against Ada</a>: you were challenged" in email_log(client)
    assert "On its way" in email_log(client)
    assert "Send again" not in email_log(client)
    deliver()
    assert "Sent 1 March" in email_log(client)
    assert "Send again" in email_log(client)


def test_email_log_shows_the_opponents_and_the_turn(cast: Cast):
    begin(cast.ada, cast.bram, cast.cleo)
    assert "Against Ada and Cleo, turn 1</a>: the duel has begun" in email_log(signed_in(cast.bram))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"status": "dropped", "dropped_for": "read"}, "Not sent: read on the site"),
        ({"status": "failed"}, "Failed"),
        ({"attempts": 2}, "Not sent yet; next attempt 1 March"),
        ({"daily_at": NOW}, "Waiting for the daily email, 1 March"),
    ],
)
def test_email_log_shows_why_an_email_was_not_sent(cast: Cast, changes: dict[str, Any], words: str):
    challenge(cast.ada, cast.bram)
    Notice.objects.update(**changes)
    assert words in email_log(signed_in(cast.bram))


def test_wizards_see_only_their_own_emails_in_the_log(cast: Cast):
    challenge(cast.ada, cast.bram)
    deliver()
    assert email_log(signed_in(cast.ada)) == ""
    address = f"/settings/mail/{Notice.objects.get().pk}/again"
    assert signed_in(cast.ada).post(address).status_code == 404
    assert Client().post(address).status_code == 302
    assert Notice.objects.get().status == OutboxStatus.SENT


def test_resent_email_keeps_its_message_id(
    cast: Cast, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
):
    challenge(cast.ada, cast.bram)
    deliver()
    client = signed_in(cast.bram)
    address = f"/settings/mail/{Notice.objects.get().pk}/again"
    assert client.get(address).status_code in (302, 404)  # get request does not resend an email
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post(address).status_code == 302
    assert len(mail.outbox) == 2
    assert len({message.extra_headers["Message-ID"] for message in mail.outbox}) == 1
    assert client.post(address).status_code == 409


def test_resending_emails_is_rate_limited(cast: Cast, monkeypatch):
    monkeypatch.setattr(limits, "MAX_REPEATS", 2)
    for _ in range(3):
        begin(cast.ada, cast.bram)
    deliver()
    first, second, third = Notice.objects.filter(wizard=cast.bram).values_list("pk", flat=True)
    for notice_id in (first, second):
        delivering.resend_own_notice(notice_id=notice_id, wizard=cast.bram, now=NOW)
    with pytest.raises(errors.Refused):
        delivering.resend_own_notice(notice_id=third, wizard=cast.bram, now=NOW)
    delivering.resend_own_notice(notice_id=third, wizard=cast.bram, now=NOW + timedelta(hours=2))


def test_queued_email_cannot_be_resent(cast: Cast):
    challenge(cast.ada, cast.bram)
    with pytest.raises(errors.Refused) as refused:
        delivering.resend_own_notice(notice_id=Notice.objects.get().pk, wizard=cast.bram, now=NOW)
    assert refused.value.code == "on_its_way"
