"""Sending through an email service: requests, rejections and events."""

import importlib.util
import json
import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
import requests
from allauth.account.models import EmailAddress
from django.core.mail import send_mail
from django.utils import timezone
from pytest_django import Settings

from duels.models import OutboxStatus, Wizard
from duels.post import headers, mail_server
from duels.post.commands import bouncing
from duels.post.models import Notice, SilencedAddress, SilencedFor
from duels.post.queries import address_of, silenced_addresses
from spellcaster.email_services import SERVICES
from tests.cast import NOW, Cast, begin, challenge, deliver, signed_in
from tests.mail_services import (
    post_webhook,
    replace_boto3,
    signed_by_mailgun,
    sns_request,
    use_mail_service,
)

# The site does not require Amazon's Python client.
HTTP_SERVICES = sorted(set(SERVICES) - {"amazon_ses"})
BRAM = "bram@example.org"


class ServiceResponse:
    """A response from an email service."""

    def __init__(self, status_code: int, data: object) -> None:
        self.status_code = status_code
        self.data = data
        self.reason = "OK" if status_code == 200 else "no"
        self.headers: dict[str, str] = {}

    @property
    def text(self) -> str:
        return json.dumps(self.data)

    content = text

    def json(self) -> object:
        return self.data


def service_responds(*answers: ServiceResponse | Exception) -> Any:
    return mock.patch.object(requests.Session, "request", side_effect=[*answers])


ACCEPTED_ANSWER = ServiceResponse(
    200, {"ErrorCode": 0, "Message": "OK", "MessageID": "1", "To": BRAM}
)


@pytest.fixture
def notice(cast: Cast) -> Notice:
    challenge(cast.ada, cast.bram)
    return Notice.objects.get()


def test_every_email_service_has_an_anymail_backend():
    for name in SERVICES:
        assert importlib.util.find_spec(f"anymail.backends.{name}"), name


# Requests to the email service


def request_to_service(service: str, notice: Notice, settings: Settings) -> str:
    use_mail_service(settings, service)
    with service_responds(requests.ConnectionError()) as asked:
        assert deliver() == 0
    return json.dumps(asked.call_args.kwargs, default=str)


@pytest.mark.parametrize("service", HTTP_SERVICES)
def test_each_email_service_receives_the_headers_that_it_supports(
    cast: Cast, settings: Settings, service: str
):
    settings.REPLY_DOMAIN = "replies.example"
    begin(cast.ada, cast.bram)
    notice = Notice.objects.get(wizard=cast.ada)
    Notice.objects.exclude(pk=notice.pk).delete()
    told = request_to_service(service, notice, settings)
    assert headers.thread_id(notice.the_duel) in told
    assert "reply+" in told
    assert "ada@example.org" in told
    own = {"List-Unsubscribe", "List-Unsubscribe-Post", "auto-generated", "References"}
    taken = {each for each in own if each in told}
    assert taken == (set() if service == "mailersend" else own)
    keeps_id = service not in ("mailersend", "mailjet")
    assert (headers.message_id(notice) in told) == keeps_id
    assert ("X-PM-KeepID" in told) == (service == "postmark")


def test_emails_other_than_notices_are_passed_on_unchanged(settings: Settings):
    use_mail_service(settings, "postmark")
    with service_responds(ACCEPTED_ANSWER) as asked:
        send_mail("A code", "1234", None, [BRAM])
    assert "X-PM-KeepID" not in str(asked.call_args)


def test_round_of_deliveries_uses_one_session_with_the_email_service(
    cast: Cast, settings: Settings
):
    use_mail_service(settings, "postmark")
    for _ in range(2):
        begin(cast.ada, cast.bram)
    with (
        service_responds(*[ACCEPTED_ANSWER] * 4) as asked,
        mock.patch("requests.Session", side_effect=requests.Session) as sessions,
    ):
        assert deliver() == 4
    assert asked.call_count == 4
    assert sessions.call_count == 1


# Rejections

POSTMARK_INACTIVE_ADDRESS = ServiceResponse(
    422, {"ErrorCode": 406, "Message": f"Found inactive addresses: {BRAM}. Inactive recipients"}
)
POSTMARK_INVALID_ADDRESS = ServiceResponse(
    422, {"ErrorCode": 300, "Message": f"Invalid 'To' address: '{BRAM}'."}
)
POSTMARK_NO_CREDIT = ServiceResponse(422, {"ErrorCode": 405, "Message": "Not allowed to send"})


@pytest.mark.parametrize(
    ("answer", "why"),
    [(POSTMARK_INACTIVE_ADDRESS, "rejected"), (POSTMARK_INVALID_ADDRESS, "invalid")],
)
def test_address_that_the_email_service_rejects_is_turned_off(
    notice: Notice, cast: Cast, settings: Settings, answer: ServiceResponse, why: str
):
    use_mail_service(settings, "postmark")
    with service_responds(answer):
        assert deliver() == 0
    notice.refresh_from_db()
    assert (notice.status, notice.last_error) == (OutboxStatus.FAILED, f"refused: {why}")
    assert address_of(cast.bram) == ""
    assert f"rejects emails to this address ({why})" in (
        signed_in(cast.bram).get("/settings/mail").content.decode()
    )


@pytest.mark.parametrize(("reason", "is_off"), [("hard-bounce", True), ("unsigned", False)])
def test_rejection_caused_by_the_sites_configuration_does_not_turn_an_address_off(
    notice: Notice, cast: Cast, settings: Settings, reason: str, is_off: bool
):
    use_mail_service(settings, "mandrill")
    told = [{"email": BRAM, "status": "rejected", "reject_reason": reason, "_id": "1"}]
    with service_responds(ServiceResponse(200, told)):
        assert deliver() == 0
    assert (address_of(cast.bram) == "") == is_off
    notice.refresh_from_db()
    assert notice.status == (OutboxStatus.FAILED if is_off else OutboxStatus.QUEUED)


@pytest.mark.parametrize(
    "answer",
    [
        ServiceResponse(500, {}),
        ServiceResponse(503, "busy"),
        ServiceResponse(429, {}),
        ServiceResponse(401, {"ErrorCode": 10, "Message": "No Account or Server API tokens"}),
        requests.ConnectionError(),
        requests.Timeout(),
    ],
    ids=lambda answer: getattr(answer, "status_code", type(answer).__name__),
)
def test_failing_email_service_is_not_tried_again_for_a_minute(
    cast: Cast, settings: Settings, answer: ServiceResponse | Exception
):
    use_mail_service(settings, "postmark")
    for opponent in (cast.bram, cast.cleo, cast.dorn):
        challenge(cast.ada, opponent)
    with service_responds(answer) as asked:
        assert deliver() == 0
    assert asked.call_count == 1
    assert mail_server.silent_until(NOW) == NOW + timedelta(minutes=1)
    assert sorted(Notice.objects.values_list("attempts", flat=True)) == [0, 0, 1]
    assert not SilencedAddress.objects.exists()


def test_email_rejected_by_the_service_does_not_delay_other_emails(cast: Cast, settings: Settings):
    use_mail_service(settings, "postmark")
    for opponent in (cast.bram, cast.cleo):
        challenge(cast.ada, opponent)
    with service_responds(POSTMARK_NO_CREDIT, ACCEPTED_ANSWER):
        assert deliver() == 1
    assert mail_server.silent_until(NOW) is None
    waiting = Notice.objects.get(status=OutboxStatus.QUEUED)
    assert waiting.attempts == 1
    assert not SilencedAddress.objects.exists()


def test_missing_api_key_does_not_count_as_an_attempt(cast: Cast, settings: Settings):
    use_mail_service(settings, "postmark")
    settings.ANYMAIL = {}
    for opponent in (cast.bram, cast.cleo):
        challenge(cast.ada, opponent)
    assert deliver() == 0
    assert sorted(Notice.objects.values_list("attempts", flat=True)) == [0, 1]
    assert mail_server.silent_until(NOW) is not None


@pytest.mark.parametrize(
    "answer", [POSTMARK_INACTIVE_ADDRESS, POSTMARK_NO_CREDIT, ServiceResponse(500, {BRAM: 1})]
)
def test_responses_of_the_email_service_are_not_logged(
    notice: Notice, settings: Settings, caplog: pytest.LogCaptureFixture, answer: ServiceResponse
):
    use_mail_service(settings, "postmark")
    with caplog.at_level(logging.DEBUG), service_responds(answer):
        deliver()
    notice.refresh_from_db()
    for told in (caplog.text, notice.last_error):
        assert "example.org" not in told
        assert "for-tests" not in told


# Events from the email service


@pytest.fixture
def post_event(settings: Settings, cast: Cast) -> Callable[..., int]:
    """Return a function that posts an event as Postmark would, and returns the status code."""
    use_mail_service(settings, "postmark")

    def post_changed_event(**changes: Any) -> int:
        event = {
            "RecordType": "Bounce",
            "ID": 4711,
            "Type": "HardBounce",
            "TypeCode": 1,
            "MessageID": "883953f4-6105-42a2-a16a-77a8eac79483",
            "Details": "smtp;550 5.1.1 The email account that you tried to reach does not exist",
            "Email": BRAM,
            "From": "duels@duels.example",
            "BouncedAt": timezone.now().isoformat(),
            "Description": "The server was unable to deliver your message",
        }
        return post_webhook("postmark/tracking/", event | changes)

    return post_changed_event


def test_hard_bounce_reported_twice_turns_the_address_off_once(
    post_event: Callable[..., int], cast: Cast
):
    assert post_event() == 200
    assert address_of(cast.bram) == ""
    (silenced,) = silenced_addresses(cast.bram)
    assert (silenced.cause, silenced.answer) == (SilencedFor.BOUNCE, "5.1.1")
    assert post_event() == 200
    assert list(silenced_addresses(cast.bram)) == [silenced]


def test_spam_complaint_turns_the_address_off(post_event: Callable[..., int], cast: Cast):
    assert post_event(RecordType="SpamComplaint", Type="SpamComplaint", Details="") == 200
    (silenced,) = silenced_addresses(cast.bram)
    assert silenced.cause == SilencedFor.COMPLAINT
    client = signed_in(cast.bram)
    assert "reported there as spam" in client.get("/settings/mail").content.decode()
    client.post("/settings/mail/on")
    assert address_of(cast.bram) == BRAM


@pytest.mark.parametrize(
    "changes",
    [
        {"Type": "SoftBounce"},
        {"Type": "Transient"},
        {"Type": "DnsError"},
        {"Type": "Blocked"},
        {"Type": "DMARCPolicy"},
        {"Type": "AutoResponder"},
        {"Details": "smtp;450 4.2.1 try later"},
        {"Details": "smtp;552 5.2.2 mailbox full"},
        {"Details": "smtp;550 5.7.26 unauthenticated email"},
        {"Details": "smtp;550 5.1.1 blocked using a blacklist"},
        {"RecordType": "Delivery", "Recipient": BRAM},
        {"RecordType": "Open", "Recipient": BRAM},
        {"RecordType": "SomethingNew"},
        {"Email": "stranger@example.org"},
        {"Email": ""},
        {"Email": None},
    ],
    ids=str,
)
def test_other_events_do_not_turn_the_address_off(
    post_event: Callable[..., int], cast: Cast, changes: dict[str, Any]
):
    assert post_event(**changes) == 200
    assert address_of(cast.bram) == BRAM
    assert not SilencedAddress.objects.exists()


def test_event_only_turns_off_an_address_that_is_in_use(post_event: Callable[..., int], cast: Cast):
    EmailAddress.objects.create(user=cast.bram.user, email="b@example.net", verified=True)
    post_event(Email="b@example.net")
    EmailAddress.objects.create(user=cast.cleo.user, email="c@example.net", verified=False)
    post_event(Email="c@example.net")
    assert not SilencedAddress.objects.exists()


def test_event_from_before_reactivation_does_not_turn_the_address_off_again(
    post_event: Callable[..., int], cast: Cast
):
    before = timezone.now() - timedelta(hours=1)
    post_event(BouncedAt=before.isoformat())
    bouncing.reactivate_addresses(wizard=cast.bram, now=timezone.now())
    post_event(BouncedAt=before.isoformat())
    assert address_of(cast.bram) == BRAM
    post_event(BouncedAt=(timezone.now() + timedelta(days=900)).isoformat())
    assert address_of(cast.bram) == ""


@pytest.mark.parametrize("reported", ["BRAM@xn--bcher-kva.example", "bram@BU\u0308CHER.example"])
def test_event_may_spell_the_address_differently(
    post_event: Callable[..., int], cast: Cast, reported: str
):
    EmailAddress.objects.filter(user=cast.bram.user).update(email="bram@bücher.example")
    post_event(Email=reported)
    assert address_of(cast.bram) == ""
    assert bouncing.reactivate_addresses(wizard=cast.bram, now=timezone.now()) == 1


def test_address_is_turned_off_after_unclear_hard_bounces_on_several_days(
    post_event: Callable[..., int], cast: Cast
):
    for day in range(4):
        assert address_of(cast.bram) == BRAM
        bounced_at = (timezone.now() - timedelta(days=4 - day)).isoformat()
        for _ in range(2):
            post_event(MessageID=str(day), BouncedAt=bounced_at, Details="smtp;550 5.2.1 disabled")
    assert address_of(cast.bram) == ""


MAILGUN_FAILED = {
    "event-data": {
        "event": "failed",
        "severity": "permanent",
        "reason": "bounce",
        "recipient": BRAM,
        "timestamp": 1772366405.0,
        "delivery-status": {"code": 550, "message": "550 5.1.1 user unknown"},
        "message": {"headers": {"message-id": "notice.1.x@duels.example"}},
    }
}
SES_BOUNCE = {
    "eventType": "Bounce",
    "bounce": {
        "bounceType": "Permanent",
        "bounceSubType": "General",
        "bouncedRecipients": [
            {"emailAddress": BRAM, "diagnosticCode": "smtp; 550 5.1.1 user unknown"}
        ],
    },
    "mail": {"messageId": "1", "destination": [BRAM]},
}


def with_replacement(event: Any, old: str, new: str) -> Any:
    return json.loads(json.dumps(event).replace(old, new))


@pytest.mark.parametrize(
    ("event", "is_off"),
    [
        (MAILGUN_FAILED, True),
        (with_replacement(MAILGUN_FAILED, "permanent", "temporary"), False),
        (with_replacement(MAILGUN_FAILED, '"bounce"', '"suppress-unsubscribe"'), False),
        (with_replacement(MAILGUN_FAILED, '"failed"', '"complained"'), True),
        (with_replacement(MAILGUN_FAILED, '"failed"', '"delivered"'), False),
    ],
)
def test_mailgun(cast: Cast, settings: Settings, event: dict[str, Any], is_off: bool):
    use_mail_service(
        settings, "mailgun", MAILGUN_WEBHOOK_SIGNING_KEY="key-for-tests", ANYMAIL_WEBHOOK_SECRET=""
    )
    assert post_webhook("mailgun/tracking/", signed_by_mailgun(event), secret=None) == 200
    assert (address_of(cast.bram) == "") == is_off


@pytest.mark.parametrize(
    ("event", "is_off"),
    [
        (SES_BOUNCE, True),
        (with_replacement(SES_BOUNCE, "Permanent", "Transient"), False),
        (with_replacement(SES_BOUNCE, "Permanent", "Undetermined"), False),
        (with_replacement(SES_BOUNCE, BRAM, "stranger@example.org"), False),
    ],
)
def test_amazon_ses(cast: Cast, settings: Settings, event: dict[str, Any], is_off: bool):
    use_mail_service(settings, "amazon_ses")
    message, sent = sns_request(event)
    with replace_boto3():
        assert post_webhook("amazon_ses/tracking/", message, **sent) == 200
    assert (address_of(cast.bram) == "") == is_off


BREVO = {
    "event": "hard_bounce",
    "email": BRAM,
    "ts_event": 1772366405,
    "id": 1,
    "date": "2026-03-01",
}
MAILJET = {
    "event": "bounce",
    "email": BRAM,
    "time": 1772366405,
    "hard_bounce": True,
    "error": "user unknown",
}
SPARKPOST = {
    "msys": {
        "message_event": {
            "type": "bounce", "bounce_class": "10", "raw_rcpt_to": BRAM, "timestamp": "1772366405",
        }
    }
}  # fmt: skip


@pytest.mark.parametrize(
    ("service", "event", "is_off"),
    [
        ("brevo", BREVO, True),
        ("brevo", with_replacement(BREVO, "hard_bounce", "soft_bounce"), False),
        ("mailjet", MAILJET, True),
        ("mailjet", with_replacement(MAILJET, "true", "false"), False),
        ("sparkpost", [SPARKPOST], True),
        ("sparkpost", [with_replacement(SPARKPOST, '"10"', '"22"')], False),
    ],
)
def test_soft_bounces_are_recognised_even_if_a_service_gives_all_bounces_one_name(
    cast: Cast, settings: Settings, service: str, event: Any, is_off: bool
):
    use_mail_service(settings, service)
    assert post_webhook(f"{service}/tracking/", event) == 200
    assert (address_of(cast.bram) == "") == is_off


# Authentication of events


@pytest.mark.parametrize("secret", [None, "", "Basic bm86bm8=", "Bearer x", "Basic !"])
def test_event_with_a_wrong_secret_is_rejected(cast: Cast, settings: Settings, secret: str | None):
    use_mail_service(settings, "postmark")
    event = {"RecordType": "Bounce", "Type": "HardBounce", "Email": BRAM}
    assert post_webhook("postmark/tracking/", event, secret=secret) == 400
    assert address_of(cast.bram) == BRAM


def test_event_with_a_wrong_signature_is_rejected(cast: Cast, settings: Settings):
    use_mail_service(
        settings, "mailgun", MAILGUN_WEBHOOK_SIGNING_KEY="key-for-tests", ANYMAIL_WEBHOOK_SECRET=""
    )
    forged = signed_by_mailgun(MAILGUN_FAILED, key="another")
    assert post_webhook("mailgun/tracking/", forged, secret=None) == 400
    assert post_webhook("mailgun/tracking/", MAILGUN_FAILED, secret=None) == 400
    assert address_of(cast.bram) == BRAM


def test_error_while_handling_an_event_returns_503_and_logs_no_data(
    post_event: Callable[..., int], cast: Cast, caplog: pytest.LogCaptureFixture
):
    with (
        caplog.at_level(logging.DEBUG),
        mock.patch.object(Wizard.objects, "filter", side_effect=RuntimeError(BRAM)),
    ):
        assert post_event() == 503
    assert "email service failed: RuntimeError" in caplog.text
    assert "example.org" not in caplog.text
    assert post_event() == 200
    assert address_of(cast.bram) == ""


@pytest.mark.parametrize("event", [[], 7, "x", None, {"Type": []}, {"RecordType": {}}])
def test_malformed_event_does_not_raise_an_error(
    cast: Cast, settings: Settings, event: Any, caplog: pytest.LogCaptureFixture
):
    use_mail_service(settings, "postmark")
    assert post_webhook("postmark/tracking/", event) in (200, 503)
    assert "Traceback" not in caplog.text
