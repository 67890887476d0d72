"""Tests of security headers, cookies and redirects, and of the visitor's IP address."""

import re
from typing import Any

import pytest
from allauth.account.adapter import get_adapter
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.test import Client, RequestFactory

from tests import prepared
from tests.cast import PASSWORD, make_user


def test_content_security_policy_allows_only_files_of_the_site(client: Client, db: None) -> None:
    policy = client.get("/accounts/login/").headers["Content-Security-Policy"]
    directives = dict(part.strip().partition(" ")[::2] for part in policy.split(";"))
    assert directives["default-src"] == "'self'"
    assert directives["frame-ancestors"] == "'none'"
    assert directives["base-uri"] == "'none'"
    assert directives["object-src"] == "'none'"
    assert "unsafe" not in policy


@pytest.mark.parametrize("key", [r"aaaaaaaaaa\000", r"\351aaaaaaaaa", "a", "a" * 5000])
def test_malformed_cookies_do_not_cause_errors(client: Client, db: None, key: str) -> None:
    """On PostgreSQL, a NUL character in a cookie would make the whole query fail."""
    answer = client.get("/", headers={"cookie": f'sessionid="{key}"; csrftoken="{key}"'})
    assert answer.status_code == 200


def test_responses_have_the_expected_security_headers(client: Client, db: None) -> None:
    headers = client.get("/accounts/login/").headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "camera=()" in headers["Permissions-Policy"]


def test_plain_http_requests_are_redirected_to_https(
    client: Client, db: None, settings: Any
) -> None:
    settings.SECURE_SSL_REDIRECT = True
    response = client.get("/accounts/login/")
    assert response.status_code == 301
    assert response.headers["Location"].startswith("https://")


@pytest.mark.parametrize(
    ("proxies", "forwarded", "visitor"),
    [
        (0, "198.51.100.1", "127.0.0.1"),  # every client can send this header
        (1, "198.51.100.1", "198.51.100.1"),
        (1, "203.0.113.9, 198.51.100.1", "198.51.100.1"),  # the first address is forged
        (2, "203.0.113.9, 198.51.100.1, 192.0.2.2", "198.51.100.1"),
        (1, "", "127.0.0.1"),
    ],
)
def test_ip_address_of_a_visitor_is_found_behind_proxies(
    settings: Any, rf: RequestFactory, proxies: int, forwarded: str, visitor: str
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    assert get_adapter().get_client_ip(rf.get("/", headers=headers)) == visitor


def test_visitor_without_an_ip_address_is_rejected(settings: Any, rf: RequestFactory) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    request = rf.get("/", headers={"X-Forwarded-For": "somebody"})
    with pytest.raises(PermissionDenied):
        get_adapter().get_client_ip(request)


def test_staff_use_the_normal_sign_in_page(client: Client, db: None) -> None:
    response = client.get("/admin/login/")
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/accounts/login/")


def test_cookies_are_restricted_to_this_site_and_https(client: Client, db: None, settings: Any):
    """Scripts cannot read session cookies, and browsers send them only to this site over HTTPS."""
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    user = make_user("ada@example.org")
    client.get("/accounts/login/", secure=True)
    form = {"login": user.email, "password": PASSWORD}
    client.post("/accounts/login/", form, secure=True)
    client.post("/play", secure=True)
    assert {"sessionid", "csrftoken", "known_device"} <= set(client.cookies)
    for name, cookie in client.cookies.items():
        assert cookie["secure"], name
        assert cookie["samesite"] == "Lax", name
        assert cookie["httponly"] or name == "csrftoken", name
        assert not cookie["domain"], name


OUTSIDE_ADDRESSES = [
    "https://evil.example/",
    "//evil.example/",
    "http:evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "https://testserver@evil.example/",
]


@pytest.mark.parametrize("outside", OUTSIDE_ADDRESSES)
def test_signing_in_and_out_does_not_redirect_to_other_sites(
    client: Client, db: None, outside: str
) -> None:
    user = make_user("ada@example.org")
    answer = client.post(
        "/accounts/login/", {"login": user.email, "password": PASSWORD, "next": outside}
    )
    assert answer["Location"] == "/"
    client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": outside})
    assert "evil" not in client.post("/reading", {"scheme": "dark", "next": outside})["Location"]
    assert "evil" not in client.post("/accounts/logout/", {"next": outside})["Location"]


def test_emailed_link_works_only_once_and_only_for_its_purpose(client: Client, db: None) -> None:
    user = make_user("ada@example.org")
    client.post("/accounts/password/reset/", {"email": user.email})
    (key,) = re.findall(r"/accounts/password/reset/key/(\S+?)/", str(mail.outbox[0].body))
    assert client.post(f"/accounts/confirm-email/{key}/").status_code == 404
    form = client.get(f"/accounts/password/reset/key/{key}/", follow=True)
    path = form.redirect_chain[-1][0]
    new = "seven-white-owls"
    client.post(path, {"password1": new, "password2": new})
    user.refresh_from_db()
    assert user.check_password(new)
    spent = Client().get(f"/accounts/password/reset/key/{key}/", follow=True)
    assert "This link no longer works" in spent.content.decode()
    assert [letter.subject for letter in mail.outbox[1:]] == ["Your password has changed"]


def test_files_named_in_static_files_exist() -> None:
    """If a file did not exist, collecting the files would have failed."""
    assert (prepared.static_root() / "staticfiles.json").exists()


def test_pages_are_compressed(client: Client, db: None) -> None:
    """An uncompressed duel page would exceed the budget for a later visit."""
    plain = client.get("/spellbook/")
    packed = client.get("/spellbook/", headers={"Accept-Encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain
    assert len(packed.content) < len(plain.content) / 2
