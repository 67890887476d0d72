"""Tests that redirects stay on the site, and that URLs with a key are not sent to other sites."""

import re
from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client

from tests.cast import PASSWORD, Cast, begin
from tests.walks.addresses import every_address

FOREIGN_ADDRESSES = (
    "https://evil.example/",
    "//evil.example/",
    "///evil.example/",
    "/\\evil.example",
    "\\\\evil.example",
    "https:evil.example",
    "https:///evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
    "\x01https://evil.example",
    "http://testserver@evil.example/",
    "http://testserver.evil.example/",
)
# names of fields and query parameters that contain the target of a redirect
TARGET_FIELDS = ("next", "back", "to", "return", "url", "redirect_to", "wizard", "duel", "turn")


def stays_on_site(location: str) -> bool:
    """Return whether a browser that follows this redirect stays on the site."""
    as_read = re.sub(r"[\t\r\n]", "", location).strip().lstrip("\x01").replace("\\", "/")
    to = urlsplit(urljoin("http://testserver/here/", as_read))
    return to.scheme in {"http", "https"} and to.netloc == "testserver"


def signed_in(cast: Cast) -> Client:
    assert cast.ada.user is not None
    client = Client()
    client.force_login(cast.ada.user)
    return client


@pytest.mark.long
def test_requests_do_not_redirect_to_another_site(cast: Cast) -> None:
    number = str(begin(cast.ada, cast.bram).pk)
    addresses = [each for each in every_address({"duel_id": number}) if each.route[:6] != "admin/"]
    ada, visitor = signed_in(cast), Client()
    seen = 0
    for place, address in enumerate(addresses):
        elsewhere = FOREIGN_ADDRESSES[place % len(FOREIGN_ADDRESSES)]
        told = dict.fromkeys(TARGET_FIELDS, elsewhere)
        for client in (ada, visitor):
            for answer in (
                client.get(address.path, told, headers={"referer": elsewhere}),
                client.post(address.path, told, headers={"referer": elsewhere}),
            ):
                answer.getvalue()  # reading the response to its end closes its files
                location = answer.headers.get("Location", "/")
                assert stays_on_site(location), (address.path, elsewhere, location)
                seen += location != "/"
        if "sessionid" not in ada.cookies or not ada.cookies["sessionid"].value:
            ada = signed_in(cast)  # some forms sign the user out
    assert seen > 50


@pytest.mark.parametrize("elsewhere", FOREIGN_ADDRESSES)
def test_sign_in_does_not_redirect_to_another_site(cast: Cast, elsewhere: str) -> None:
    answer = Client().post(
        "/accounts/login/",
        {"login": "ada@example.org", "password": PASSWORD, "next": elsewhere},
    )
    assert answer.status_code == 302
    assert stays_on_site(answer.headers["Location"])


@pytest.mark.parametrize("elsewhere", FOREIGN_ADDRESSES)
def test_saving_reading_preferences_does_not_redirect_to_another_site(
    db: None, elsewhere: str
) -> None:
    for told, headers in (({"next": elsewhere}, {}), ({}, {"referer": elsewhere})):
        answer = Client().post("/reading", {"scheme": "dark", **told}, headers=headers)
        assert answer.status_code == 302
        assert stays_on_site(answer.headers["Location"])


def test_addresses_with_a_key_are_not_sent_to_other_sites(db: None) -> None:
    """These pages must not load anything from another site, which would receive the address."""
    for address in every_address():
        if {"token", "key"} & address.arguments.keys():
            answer = Client().get(address.path)
            assert answer.headers["Referrer-Policy"] == "same-origin"
            assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
            links = re.findall(rb'(?:href|src|action)="(https?:)?//', answer.content)
            assert not links, address.path
