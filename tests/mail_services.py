"""Settings of a site that sends through an email service, and requests from that service."""

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any
from unittest import mock

from django.test import Client
from django.urls import include, path
from django.utils import timezone
from pytest_django import Settings

from spellcaster import urls
from spellcaster.email_services import SERVICES, WEBHOOK_SECRET, chosen_service
from spellcaster.webhooks import webhook_patterns

SECRET = "postmaster:a long random word"
AUTHORIZATION = "Basic " + base64.b64encode(SECRET.encode()).decode()
SIGNING_KEY = "key-for-tests"


def use_mail_service(settings: Settings, name: str, **more: str) -> None:
    """Configure the site to send through this service and accept its reports about emails."""
    known = dict.fromkeys(SERVICES[name].required, "https://mail.example/for-tests/")
    service = chosen_service(
        name, lambda option: (known | {WEBHOOK_SECRET: SECRET} | more).get(option, "")
    )
    assert service is not None
    settings.EMAIL_SERVICE = name
    settings.MAIL_SERVICE = service
    settings.EMAIL_BACKEND = f"anymail.backends.{name}.EmailBackend"
    settings.ANYMAIL = {**service.options, "IGNORE_UNSUPPORTED_FEATURES": True}
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 20_000_000
    settings.ROOT_URLCONF = (path("webhooks/", include(webhook_patterns())), *urls.urlpatterns)


def post_webhook(
    address: str, payload: Any, *, secret: str | None = AUTHORIZATION, **headers: str
) -> int:
    """Post this as JSON, as a service would, to `postmark/tracking/`, and return the status."""
    sent = headers | ({"Authorization": secret} if secret else {})
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    body = json.dumps(payload)
    return client.post(
        f"/webhooks/{address}", body, content_type="application/json", headers=sent
    ).status_code


def fake_boto3(**_: object) -> tuple[dict[str, str], dict[str, str]]:
    return {}, {}


def replace_boto3() -> Any:
    """Replace Amazon's Python package. It is used only for subscriptions and for emails in S3."""
    return mock.patch("anymail.webhooks.amazon_ses._get_anymail_boto3_params", fake_boto3)


def sns_request(event: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """Return an event as Amazon's notification service sends it, and its headers."""
    message = {"Type": "Notification", "MessageId": "1", "Message": json.dumps(event)}
    message |= {"TopicArn": "arn:aws:sns:eu:1:t", "Timestamp": timezone.now().isoformat()}
    return message, {"x-amz-sns-message-type": "Notification", "x-amz-sns-message-id": "1"}


def signed_by_mailgun(event: Mapping[str, Any], *, key: str = SIGNING_KEY) -> dict[str, Any]:
    """Return the event with Mailgun's signature block."""
    return {**event, "signature": mailgun_signature(key=key)}


def mailgun_signature(*, key: str = SIGNING_KEY) -> dict[str, str]:
    timestamp, token = "1772366405", "t" * 50
    signature = hmac.new(key.encode(), f"{timestamp}{token}".encode(), hashlib.sha256).hexdigest()
    return {"timestamp": timestamp, "token": token, "signature": signature}
