"""Tests that responses to rate-limited requests say when to try again, and keep the input."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.core import mail
from django.http import HttpResponse
from django.test import Client

from duels.models import User
from tests.cast import PASSWORD, make_user

pytestmark = pytest.mark.django_db
TYPED_FORMS = {
    "/accounts/login/": ("login", {"login": "quill@example.org", "password": "open sesame"}),
    "/accounts/signup/": (
        "signup",
        {"email": "quill@example.org", "password1": "open sesame", "name": "Quill Feather"},
    ),
    "/accounts/password/reset/": ("reset_password", {"email": "quill@example.org"}),
}


def set_rate_limits(settings: Any, **rates: str) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | rates


def post_twice(client: Client, path: str, typed: Mapping[str, str]) -> Any:
    client.post(path, typed)
    return client.post(path, typed)


def assert_wait_is_stated(answer: HttpResponse, longest: int) -> None:
    assert answer.status_code == 429
    assert 0 < int(answer["Retry-After"]) <= longest
    html = answer.content.decode()
    assert re.search(r"in (\d+\u00a0minutes?)?(, )?(\d+\u00a0seconds?)?\.", html)
    assert "<h1>" in html  # a normal page


@pytest.mark.parametrize("path", TYPED_FORMS)
def test_rate_limited_form_keeps_all_values_except_passwords(
    client: Client, settings: Any, path: str
):
    action, typed = TYPED_FORMS[path]
    set_rate_limits(settings, **{action: "1/2m/ip"})
    answer = post_twice(client, path, {**typed, "next": "/settings/"})
    assert_wait_is_stated(answer, 120)
    html = answer.content.decode()
    for name, value in typed.items():
        assert (f'value="{value}"' in html) == ("password" not in name), name
    assert "open sesame" not in html
    assert 'value="/settings/"' in html
    assert "You have tried this too often" in html
    assert "You have tried this too often" not in client.get(path).content.decode()


def test_response_to_a_limit_per_address_states_the_longest_possible_wait(
    client: Client, settings: Any
):
    """The response is the same whether or not the account exists. Promise 17"""
    set_rate_limits(settings, reset_password="20/m/ip,1/9m/key")
    make_user("quill@example.org")
    for address in ("quill@example.org", "nobody@example.org"):
        answer = post_twice(client, "/accounts/password/reset/", {"email": address})
        assert_wait_is_stated(answer, 540)
        assert int(answer["Retry-After"]) > 500
        assert f'value="{address}"' in answer.content.decode()
    assert len(mail.outbox) == 2


def test_rate_limited_form_has_no_effect(client: Client, settings: Any):
    set_rate_limits(settings, signup="1/2m/ip")
    typed = TYPED_FORMS["/accounts/signup/"][1]
    client.post("/accounts/signup/", {"email": "?"})
    assert client.post("/accounts/signup/", typed).status_code == 429
    assert not User.objects.filter(email=typed["email"]).exists()


def test_rate_limited_new_address_is_kept_in_the_form(client: Client, settings: Any):
    set_rate_limits(settings, manage_email="1/2m/user")
    client.force_login(make_user("quill@example.org"))
    answer = post_twice(client, "/accounts/email/", {"action_add": "", "email": "ink@example.net"})
    assert_wait_is_stated(answer, 120)
    assert 'value="ink@example.net"' in answer.content.decode()


@pytest.mark.parametrize("path", ["/accounts/password/change/", "/accounts/reauthenticate/"])
def test_rate_limited_password_form_shows_when_to_try_again(
    client: Client, settings: Any, path: str
):
    set_rate_limits(settings, change_password="1/2m/user", reauthenticate="1/2m/user")
    make_user("quill@example.org")
    client.post("/accounts/login/", {"login": "quill@example.org", "password": PASSWORD})
    answer = post_twice(client, path, {"password": "a", "oldpassword": "a"})
    assert answer.status_code == 429
    html = answer.content.decode()
    assert "Too many gestures at once" in html
    assert re.search(r"Try again in [^:]*\u00a0(minutes?|seconds?)", html)
