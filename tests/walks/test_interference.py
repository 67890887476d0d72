"""Tests of promises 1 and 2 on the whole site: nothing that others can get depends on a secret.

Two worlds differ in one secret. Each observer who must not know the secret requests every address
on the site and sends every form on the duel's pages. An observer's responses in both worlds must be
equal byte for byte, including headers, ETags and cookies, and so must emails and notifications.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django import shortcuts
from django.http import HttpResponse
from django.test import Client

from duels.caching import poll_cache
from duels.models import Draft, Orders
from duels.post import emails
from duels.push import message as push_messages
from duels.sealing import seals
from tests import daily
from tests.cast import Cast
from tests.services import VAPID_SETTINGS
from tests.walks.addresses import every_address
from tests.walks.observing import differences, observe_both
from tests.walks.secret_worlds import ADA, OPERATOR, SECRETS, VISITOR, Secret

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]


@pytest.fixture(autouse=True)
def web_push(settings: Any) -> None:
    """Enable notifications, without contacting a push service."""
    for name, value in VAPID_SETTINGS.items():
        setattr(settings, name, value)
    settings.PUSH_SENT_IMMEDIATELY = False


# Every run tests sealed orders, and a fifth of the other secrets, a different fifth each day.
FIRST, *OTHERS = [secret.name for secret in SECRETS]
SECRETS_OF_TODAY = (FIRST, *daily.sample(OTHERS, 5, "secrets"))


@pytest.mark.parametrize(
    "secret",
    [
        pytest.param(
            each, marks=[] if each.name in SECRETS_OF_TODAY else [pytest.mark.nightly], id=each.name
        )
        for each in SECRETS
    ],
)
def test_responses_to_other_users_do_not_depend_on_a_secret(
    cast: Cast, secret: Secret, django_capture_on_commit_callbacks: Any
) -> None:
    names = (*secret.kept_from, secret.owner)
    first, second = observe_both(secret, cast, django_capture_on_commit_callbacks, names)
    for name in secret.kept_from:
        assert len(first[name]) > 40
        shown = [key for key, answer in first[name].items() if answer.startswith(b"200")]
        assert ("GET", "/admin/duels/orders/" if name == OPERATOR else "/duels/") in shown
        found = differences(first[name], second[name])
        assert not found, f"{name} sees a difference:\n" + "\n".join(found)
    assert differences(first[secret.owner], second[secret.owner]), "the owner sees no difference"


def test_only_operators_can_open_the_admin(cast: Cast) -> None:
    assert cast.ada.user is not None
    client = Client()
    client.force_login(cast.ada.user)
    for address in every_address():
        if address.route.startswith("admin/"):
            answer = client.get(address.path)
            assert answer.status_code in (302, 403, 404), address


# Planted leaks


def _sizes_of_hidden_rows() -> str:
    """Return the sizes of all sealed orders and drafts, which a leaking page could reveal."""
    sealed = [len(seals.decrypt_seal(row.body).fields) for row in Orders.objects.order_by("pk")]
    drafted = [len(seals.decrypt_draft(row.body)) for row in Draft.objects.order_by("pk")]
    return f"{sealed} {drafted}"


def _leak_in_page(monkeypatch: pytest.MonkeyPatch) -> None:
    page = shortcuts.render

    def leaking_render(*arguments: Any, **named: Any) -> HttpResponse:
        response: HttpResponse = page(*arguments, **named)
        response.write(f"<!-- {_sizes_of_hidden_rows()} -->")
        return response

    monkeypatch.setattr("duels.screens.duel.views.render", leaking_render)


def _leak_in_header(monkeypatch: pytest.MonkeyPatch) -> None:
    page = shortcuts.render

    def leaking_render(*arguments: Any, **named: Any) -> HttpResponse:
        response: HttpResponse = page(*arguments, **named)
        response.headers["Server-Timing"] = _sizes_of_hidden_rows()
        return response

    monkeypatch.setattr("duels.screens.duel.views.render", leaking_render)


def _leak_in_etag(monkeypatch: pytest.MonkeyPatch) -> None:
    etag = poll_cache.poll_etag
    monkeypatch.setattr(
        poll_cache,
        "poll_etag",
        lambda duel_id, reader, digest, *told: etag(
            duel_id, reader, digest + _sizes_of_hidden_rows(), *told
        ),
    )


SEALED_ORDERS_SECRET = SECRETS[1]


@pytest.mark.parametrize(
    ("leak", "address"),
    [(_leak_in_page, "duel"), (_leak_in_header, "duel"), (_leak_in_etag, "poll")],
    ids=["page", "header", "ETag"],
)
def test_leak_planted_in_a_page_is_found(
    cast: Cast,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
    leak: Callable[[pytest.MonkeyPatch], None],
    address: str,
) -> None:
    leak(monkeypatch)
    names = (ADA, VISITOR)
    first, second = observe_both(
        SEALED_ORDERS_SECRET, cast, django_capture_on_commit_callbacks, names, asked=[address]
    )
    for name in names:
        found = differences(first[name], second[name])
        assert found, name
        assert all("/duels/" in each for each in found)


def _decrypted_orders() -> str:
    return repr([seals.decrypt_seal(row.body).orders for row in Orders.objects.order_by("pk")])


def _leak_in_email(monkeypatch: pytest.MonkeyPatch) -> None:
    written = emails.email_for

    def leaking_email(letter: Any) -> Any:
        message = written(letter)
        if message is not None:
            message.body += _decrypted_orders()
        return message

    monkeypatch.setattr(emails, "email_for", leaking_email)


def _leak_in_notification(monkeypatch: pytest.MonkeyPatch) -> None:
    written = push_messages.push_message_for
    monkeypatch.setattr(
        push_messages,
        "push_message_for",
        lambda push, now: replace(written(push, now), body=_decrypted_orders().encode()),
    )


@pytest.mark.parametrize(
    ("leak", "place"),
    [(_leak_in_email, "mail"), (_leak_in_notification, "push")],
    ids=["mail", "push"],
)
def test_leak_planted_in_an_email_or_notification_is_found(
    cast: Cast,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
    leak: Callable[[pytest.MonkeyPatch], None],
    place: str,
) -> None:
    """Because of the turn, Ada gets an email and a notification."""
    leak(monkeypatch)
    (secret,) = [each for each in SECRETS if each.name == "gestures hidden by blindness"]
    first, second = observe_both(secret, cast, django_capture_on_commit_callbacks, (ADA,), asked=())
    found = differences(first[ADA], second[ADA])
    assert found
    assert all(each.startswith(place) for each in found), found
