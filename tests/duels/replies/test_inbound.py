"""Incoming email that an email service passes on to the site by webhook."""

import base64
import json
import logging
from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from duels.models import Duel, Orders, Wizard
from duels.post.bounce_address import make_bounce_address
from duels.post.models import Notice
from duels.post.public import make_reply_address
from duels.post.queries import address_of
from duels.replies.models import Reply, ReplyOutcome
from tests.cast import Cast, open_turn
from tests.duels.replies.bounce_emails import bounce_bytes
from tests.duels.replies.writing import written
from tests.mail_services import (
    AUTHORIZATION,
    SIGNING_KEY,
    mailgun_signature,
    post_webhook,
    replace_boto3,
    sns_request,
    use_mail_service,
)

MAILGUN_SETTINGS = {"MAILGUN_WEBHOOK_SIGNING_KEY": SIGNING_KEY, "ANYMAIL_WEBHOOK_SECRET": ""}


def reply_address(duel: Duel, wizard: Wizard) -> str:
    return make_reply_address(wizard.pk, open_turn(duel).pk)


def postmark_event(to: str, text: str = "left P\nright W", **changes: Any) -> dict[str, Any]:
    """Return an email in the format of Postmark's inbound event."""
    event = {
        "FromName": "Ada",
        "FromFull": {"Email": "ada@example.org", "Name": "Ada", "MailboxHash": ""},
        "ToFull": [{"Email": to, "Name": "Spellcaster", "MailboxHash": ""}],
        "CcFull": [],
        "BccFull": [],
        "OriginalRecipient": to,
        "Subject": "Re: Your turn",
        "MessageID": "73e6d360-66eb-11e1-8e72-a8904824019b",
        "Date": "Sun, 1 Mar 2026 12:00:05 +0000",
        "TextBody": f"{text}\n\nOn Sun, Spellcaster wrote:\n> left -",
        "HtmlBody": "",
        "Headers": [
            {"Name": "Return-Path", "Value": "<ada@example.org>"},
            {"Name": "Message-ID", "Value": "<1@example.org>"},
            {"Name": "X-Spam-Status", "Value": "No"},
        ],
        "Attachments": [],
    }
    return event | changes


@pytest.fixture
def post_as_postmark(settings: Settings) -> Callable[[dict[str, Any]], int]:
    use_mail_service(settings, "postmark")
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"  # stores the receipts
    return lambda event: post_webhook("postmark/inbound/", event)


def sealed_orders() -> dict[Wizard, int]:
    return {each.seat.wizard: each.pk for each in Orders.objects.select_related("seat__wizard")}


def test_orders_in_an_email_parsed_by_postmark_are_sealed(
    cast: Cast, duel: Duel, post_as_postmark: Callable[[dict[str, Any]], int]
):
    assert post_as_postmark(postmark_event(reply_address(duel, cast.ada))) == 200
    assert set(sealed_orders()) == {cast.ada}
    assert Notice.objects.filter(kind="answered", wizard=cast.ada).count() == 1


def test_orders_are_sealed_if_postmark_does_not_parse_the_email(
    cast: Cast, duel: Duel, post_as_postmark: Callable[[dict[str, Any]], int]
):
    to = reply_address(duel, cast.ada)
    whole = written("left P\nright W", "undisclosed@example.org").decode()
    assert post_as_postmark(postmark_event(to, RawEmail=whole)) == 200
    assert set(sealed_orders()) == {cast.ada}


def test_attachments_are_ignored(
    cast: Cast, duel: Duel, post_as_postmark: Callable[[dict[str, Any]], int]
):
    """Even attachments of several megabytes are ignored."""
    attached = {"Name": "x.png", "ContentType": "image/png", "ContentLength": 3_000_000}
    attached["Content"] = base64.b64encode(b"x" * 3_000_000).decode()
    assert (
        post_as_postmark(postmark_event(reply_address(duel, cast.ada), Attachments=[attached]))
        == 200
    )
    assert set(sealed_orders()) == {cast.ada}


def test_email_that_the_service_delivers_twice_is_read_once(
    cast: Cast, duel: Duel, post_as_postmark: Callable[[dict[str, Any]], int]
):
    """The service builds the email again for each delivery, with different MIME boundaries."""
    attached = {"Name": "x", "ContentType": "text/plain", "Content": "eA==", "ContentLength": 1}
    event = postmark_event(
        reply_address(duel, cast.ada), HtmlBody="<p>left F", Attachments=[attached]
    )
    assert [post_as_postmark(event), post_as_postmark(event)] == [200, 200]
    assert Reply.objects.count() == 1
    assert Notice.objects.filter(kind="answered", wizard=cast.ada).count() == 1
    other = json.loads(json.dumps(event).replace("<1@example.org>", "<2@example.org>"))
    assert post_as_postmark(other) == 200
    assert Reply.objects.count() == 2


def test_inbound_email_is_not_lost_in_a_database_outage(
    cast: Cast,
    duel: Duel,
    post_as_postmark: Callable[[dict[str, Any]], int],
    caplog: pytest.LogCaptureFixture,
):
    event = postmark_event(reply_address(duel, cast.ada), "left P\nright W\nSAY pst")
    with (
        caplog.at_level(logging.DEBUG),
        mock.patch(
            "duels.replies.commands._process_reply", side_effect=DatabaseError("left P pst")
        ),
    ):
        assert post_as_postmark(event) == 503
    assert "DatabaseError" in caplog.text
    assert "left P" not in caplog.text
    assert "pst" not in caplog.text
    assert "example.org" not in caplog.text
    assert post_as_postmark(event) == 200
    assert set(sealed_orders()) == {cast.ada}


def test_orders_in_inbound_emails_are_not_logged(
    cast: Cast,
    duel: Duel,
    post_as_postmark: Callable[[dict[str, Any]], int],
    caplog: pytest.LogCaptureFixture,
):
    with caplog.at_level(logging.DEBUG):
        post_as_postmark(
            postmark_event(reply_address(duel, cast.ada), "left P\nright W\nSAY abracadabra")
        )
        post_as_postmark(
            postmark_event(reply_address(duel, cast.ada), "abracadabra", MessageID="2")
        )
    assert "abracadabra" not in caplog.text


@pytest.mark.parametrize("secret", [None, "Basic bm86bm8="])
def test_inbound_event_with_a_wrong_secret_is_rejected(
    cast: Cast, duel: Duel, settings: Settings, secret: str | None
):
    use_mail_service(settings, "postmark")
    event = postmark_event(reply_address(duel, cast.ada))
    assert post_webhook("postmark/inbound/", event, secret=secret) == 400
    assert not sealed_orders()


def test_oversized_webhook_request_is_rejected_before_it_is_read(settings: Settings):
    use_mail_service(settings, "postmark")
    client = Client()
    answer = client.post(
        "/webhooks/postmark/inbound/",
        b"",
        content_type="application/json",
        headers={"Authorization": AUTHORIZATION},
        CONTENT_LENGTH="20000001",
    )
    assert answer.status_code == 413


def test_webhook_accepts_only_post_and_known_paths(client: Client, settings: Settings):
    use_mail_service(settings, "postmark")
    assert client.get("/webhooks/postmark/inbound/").status_code == 405
    assert client.head("/webhooks/postmark/inbound/").status_code == 200
    assert client.post("/webhooks/mailgun/inbound/").status_code == 404
    assert client.post("/webhooks/postmark/").status_code == 404


def test_automatic_email_is_not_answered(
    cast: Cast, duel: Duel, post_as_postmark: Callable[[dict[str, Any]], int]
):
    event = postmark_event(reply_address(duel, cast.ada))
    event["Headers"].append({"Name": "Auto-Submitted", "Value": "auto-replied"})
    assert post_as_postmark(event) == 200
    nobody = postmark_event(reply_address(duel, cast.ada))
    nobody["Headers"][0]["Value"] = "<>"
    assert post_as_postmark(nobody) == 200
    assert (
        post_as_postmark(postmark_event("reply+1-1-aaaaaaaaaaaaaaaaaaaaaaaaaa@replies.example"))
        == 200
    )
    assert not Notice.objects.filter(kind="answered").exists()
    assert not sealed_orders()


def test_email_that_fails_dmarc_counts_as_forged(
    cast: Cast, duel: Duel, settings: Settings, post_as_postmark: Callable[[dict[str, Any]], int]
):
    settings.REPLY_AUTHENTICATION_SERVERS = ["inbound.postmark.example"]
    event = postmark_event(reply_address(duel, cast.ada))
    results = "inbound.postmark.example; dmarc=fail header.from=example.org"
    event["Headers"].append({"Name": "Authentication-Results", "Value": results})
    assert post_as_postmark(event) == 200
    assert Reply.objects.get().outcome == ReplyOutcome.FORGED
    assert not sealed_orders()


def test_bounce_passed_on_by_an_email_service_is_processed(
    cast: Cast, duel: Duel, settings: Settings, post_as_postmark: Callable[[dict[str, Any]], int]
):
    settings.BOUNCE_DOMAIN = "replies.example"
    notice = Notice.objects.filter(wizard=cast.ada).latest("pk")
    to = make_bounce_address(notice.pk, "ada@example.org")
    content = bounce_bytes("gmail_no_such_user", to).decode()
    assert post_as_postmark(postmark_event(to, RawEmail=content)) == 200
    assert address_of(cast.ada) == ""


BOUNCE_REPORT = (
    "Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n"
)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "mime",
    [
        BOUNCE_REPORT + "\n" * 2_000_000,
        BOUNCE_REPORT + "A: b\n\n" * 500_000,
        "Content-Type: multipart/mixed; boundary=b\n\n" + "--b\n\n" * 500_000,
        "Content-Type: multipart/mixed; boundary=b\n\n--b\n" * 200,
    ],
    ids=["empty lines", "blocks", "parts", "parts within parts"],
)
def test_email_with_a_costly_mime_structure_is_rejected_without_parsing(
    settings: Settings, mime: str, line_end: str
):
    use_mail_service(settings, "postmark")
    event = postmark_event("a@replies.example", RawEmail=mime.replace("\n", line_end))
    with mock.patch("email.parser.BytesParser.parsebytes") as parsed:
        assert post_webhook("postmark/inbound/", event) == 413
        use_mail_service(settings, "mailgun", **MAILGUN_SETTINGS)
        form = {"body-mime": mime.replace("\n", line_end)}
        assert post_as_mailgun(recipient="a@replies.example", **form) == 413
    assert not parsed.called


# Mailgun, whose webhooks send form data


def post_as_mailgun(**fields: str) -> int:
    form = {**mailgun_signature(), "sender": "ada@example.org", **fields}
    return Client(enforce_csrf_checks=True).post("/webhooks/mailgun/inbound/", form).status_code


@pytest.mark.parametrize("is_whole", [True, False])
def test_orders_in_an_email_from_mailgun_are_sealed(
    cast: Cast, duel: Duel, settings: Settings, is_whole: bool
):
    use_mail_service(settings, "mailgun", **MAILGUN_SETTINGS)
    to = reply_address(duel, cast.ada)
    if is_whole:
        fields = {"body-mime": written("left P\nright W", to).decode()}
    else:
        headers = [["From", "Ada <ada@example.org>"], ["To", to], ["Message-Id", "<1@example.org>"]]
        fields = {
            "from": "Ada <ada@example.org>",
            "message-headers": json.dumps(headers),
            "body-plain": "left P\nright W\n\nOn Sun, Spellcaster wrote:\n> left -",
        }
    assert post_as_mailgun(recipient=to, **fields) == 200
    assert set(sealed_orders()) == {cast.ada}


def test_inbound_email_with_a_wrong_signature_is_rejected(
    cast: Cast, duel: Duel, settings: Settings
):
    use_mail_service(settings, "mailgun", **MAILGUN_SETTINGS)
    to = reply_address(duel, cast.ada)
    mime = {"body-mime": written("left P\nright W", to).decode()}
    assert post_as_mailgun(recipient=to, signature="0" * 64, **mime) == 400
    assert not sealed_orders()


# Amazon SES, whose notifications contain the raw email


@pytest.mark.parametrize("verdict", ["PASS", "FAIL", "GRAY"])
def test_orders_in_an_email_from_amazon_are_sealed_unless_it_fails_dmarc(
    cast: Cast, duel: Duel, settings: Settings, verdict: str
):
    use_mail_service(settings, "amazon_ses")
    to = reply_address(duel, cast.ada)
    event = {
        "notificationType": "Received",
        "mail": {
            "source": "ada@example.org",
            "messageId": "1",
            "timestamp": timezone.now().isoformat(),
        },
        "receipt": {
            "recipients": [to],
            "spamVerdict": {"status": "PASS"},
            "dmarcVerdict": {"status": verdict},
            "action": {"type": "SNS", "encoding": "BASE64"},
        },
        "content": base64.b64encode(written("left P\nright W", to)).decode(),
    }
    message, sent = sns_request(event)
    with replace_boto3():
        assert post_webhook("amazon_ses/inbound/", message, **sent) == 200
    assert bool(sealed_orders()) == (verdict != "FAIL")
    assert Reply.objects.get().outcome == (
        ReplyOutcome.FORGED if verdict == "FAIL" else ReplyOutcome.SEALED
    )


# Hostile emails, which no mail server has filtered


@pytest.mark.parametrize(
    "mime",
    [
        "To: " + "<a@" * 300_000 + "\n\nleft P",
        "Subject: " + "=?utf-8?q?" * 80_000 + "\n\nleft P",
        "Content-Type: multipart/mixed; boundary=b\n\n--b\n" * 50,
        "Content-Type: text/plain; charset=none\n\nleft P\nright \udcff W",
        "Content-Type: text/plain; charset=\x00\n\nleft P",
        "",
    ],
    ids=lambda mime: repr(mime[:40]),
)
@pytest.mark.timeout(30)
def test_hostile_emails_do_not_cause_server_errors(
    post_as_postmark: Callable[[dict[str, Any]], int], cast: Cast, duel: Duel, mime: str
):
    event = postmark_event(reply_address(duel, cast.ada), RawEmail=mime)
    assert post_as_postmark(event) in (200, 503)
