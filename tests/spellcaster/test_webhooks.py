"""Tests of webhook URLs for email services."""

import pytest
from django.test import Client
from django.urls import URLPattern
from django.urls.exceptions import Resolver404
from django.urls.resolvers import get_resolver
from pytest_django import Settings

from spellcaster.email_services import SERVICES
from spellcaster.webhooks import webhook_patterns
from tests.mail_services import AUTHORIZATION, use_mail_service


def pattern_texts(patterns: list[URLPattern]) -> set[str]:
    return {str(each.pattern) for each in patterns}


def test_there_are_no_webhooks_if_no_email_service_is_configured():
    assert webhook_patterns() == []
    with pytest.raises(Resolver404):
        get_resolver("spellcaster.urls").resolve("/webhooks/postmark/tracking/")


def test_each_email_service_has_webhooks_of_its_own(settings: Settings):
    use_mail_service(settings, "postmark")
    assert pattern_texts(webhook_patterns()) == {"postmark/tracking/", "postmark/inbound/"}
    use_mail_service(settings, "mandrill")
    assert pattern_texts(webhook_patterns()) == {"mandrill/", "mandrill/tracking/"}


@pytest.mark.parametrize("name", SERVICES)
def test_webhooks_of_all_email_services_but_one_work_without_csrf_tokens(
    settings: Settings, name: str
):
    use_mail_service(settings, name)
    patterns = webhook_patterns()
    assert bool(patterns) == (name != "scaleway")
    assert all(getattr(each.callback, "csrf_exempt", False) for each in patterns)


@pytest.mark.parametrize("body", [b"{", b"\xff", b"[" * 100_000, b""])
def test_invalid_json_is_rejected_so_that_the_service_does_not_retry(
    settings: Settings, client: Client, body: bytes
):
    use_mail_service(settings, "postmark")
    for kind in ("tracking", "inbound"):
        answer = client.post(
            f"/webhooks/postmark/{kind}/",
            body,
            content_type="application/json",
            headers={"Authorization": AUTHORIZATION},
        )
        assert answer.status_code == 400


def test_there_are_no_webhooks_without_a_secret(settings: Settings):
    use_mail_service(settings, "postmark", ANYMAIL_WEBHOOK_SECRET="")
    assert webhook_patterns() == []
