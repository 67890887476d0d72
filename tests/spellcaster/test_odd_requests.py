"""Tests that malformed requests are rejected with status 400 or 413 and one line in the log."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from tests.cast import Cast, make_cast
from tests.walks.wsgi_site import WSGISite, wsgi_site

FORM_TYPE = "application/x-www-form-urlencoded"
ADDRESSES = ("/", "/accounts/login/", "/play", "/reading", "/mail-off/x", "/nowhere/")

UNREADABLE_BODIES = [
    ("another charset", f"{FORM_TYPE}; charset=latin-1", b"words=\xe4"),
    ("a charset that is not for text", f"{FORM_TYPE}; charset=hex", b"words=a"),
    ("an unknown charset", f"{FORM_TYPE}; charset=runes", b"words=a"),
    ("an unreadable type", "text/plain; charset*=runes''x", b"words=a"),
    ("parts without a boundary", "multipart/form-data", b"words"),
    ("parts in another charset", "multipart/form-data; boundary=x; charset=utf-16", b"--x--\r\n"),
    ("a badly encoded part", "multipart/form-data; boundary=x", b"""--x\r
Content-Disposition: form-data; name="words"; filename="w"\r
Content-Transfer-Encoding: base64\r
\r
a\r
--x--\r
"""),
    ("too many fields", FORM_TYPE, b"&".join(b"a%d=1" % each for each in range(1001))),
]  # fmt: skip


@pytest.fixture
def site(db: None) -> Iterator[WSGISite]:
    with wsgi_site() as found:
        yield found


def post_status(site: WSGISite, path: str, body: bytes, content_type: str, **more: str) -> int:
    return site.call(path, "POST", body, {"CONTENT_TYPE": content_type, **more}).status


@pytest.mark.parametrize("is_debug", [False, True], ids=["production", "debug"])
def test_unreadable_request_is_rejected_with_one_log_line(
    site: WSGISite, settings: Any, caplog: pytest.LogCaptureFixture, is_debug: bool
) -> None:
    settings.DEBUG = is_debug
    for name, content_type, body in UNREADABLE_BODIES:
        for path in ADDRESSES:
            caplog.clear()
            with caplog.at_level(logging.INFO):
                status = post_status(site, path, body, content_type)
            assert status == (404 if path == "/nowhere/" else 400), (name, path)
            assert len(caplog.records) == 1, (name, path)
            assert len(caplog.text) < 300, (name, path)


def test_query_in_another_charset_is_rejected_even_for_polls(site: WSGISite) -> None:
    for path in ("/", "/duels/1/poll", "/spellbook/"):
        asked = {"CONTENT_TYPE": "text/plain; charset=hex", "QUERY_STRING": "q=%E4"}
        assert site.call(path, more=asked).status == 400


def test_request_that_is_too_large_is_rejected_by_its_content_length(
    site: WSGISite, settings: Any
) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    assert post_status(site, "/play", b"a=" + b"x" * 100, FORM_TYPE) == 413


@pytest.mark.parametrize("length", ["many", "1e3", "9" * 5000])
def test_invalid_content_length_is_rejected(site: WSGISite, length: str) -> None:
    assert post_status(site, "/play", b"a=1", FORM_TYPE, CONTENT_LENGTH=length) == 400


def test_query_with_too_many_fields_is_rejected(site: WSGISite) -> None:
    query = "&".join(f"a{each}=1" for each in range(1001))
    for path in ("/", "/duels/1/poll"):
        assert site.call(path, more={"QUERY_STRING": query}).status == 400


def test_rejection_page_is_a_normal_page_of_the_site(db: None) -> None:
    cast: Cast = make_cast()
    assert cast.ada.user is not None
    client = Client()
    client.force_login(cast.ada.user)
    answer = client.post("/settings/", b"a=1", content_type=f"{FORM_TYPE}; charset=latin-1")
    text = answer.content.decode()
    assert answer.status_code == 400
    assert "It is not encoded in UTF-8." in text
    assert "Ada" in text
    assert "Content-Security-Policy" in answer.headers
    assert answer.headers["Cache-Control"] == "private, no-store"


def test_normal_browser_form_is_accepted(site: WSGISite, db: None) -> None:
    client = Client()
    for content_type in (FORM_TYPE, f"{FORM_TYPE}; charset=UTF-8", f"{FORM_TYPE};charset=utf-8"):
        answer = client.post("/reading", b"scheme=dark", content_type=content_type)
        assert answer.status_code == 302
        assert answer.cookies["reading_scheme"].value == "dark"
    assert client.post("/reading", {"scheme": "dark"}).status_code == 302  # as multipart
