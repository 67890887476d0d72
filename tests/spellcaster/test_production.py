"""Tests of the site as in production: several processes with one PostgreSQL and one Redis."""

import gzip
import re
import socket
import time
from contextlib import ExitStack
from email.message import Message
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest

from tests import services
from tests.duels.test_metrics import parsed_metrics
from tests.sites import METRICS_TOKEN, Site

pytestmark = pytest.mark.services


class Visitor:
    """A visitor with cookies but without a browser."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.cookies = CookieJar()
        self.opener = build_opener(HTTPCookieProcessor(self.cookies))

    def get(self, path: str, **headers: str) -> tuple[int, Message, bytes]:
        return self._open(Request(self.site.url + path, headers=headers))

    def post(self, path: str, **form: str) -> tuple[int, Message, bytes]:
        token = next(str(cookie.value) for cookie in self.cookies if cookie.name == "csrftoken")
        data = urlencode(form | {"csrfmiddlewaretoken": token}).encode()
        return self._open(Request(self.site.url + path, data))

    def _open(self, request: Request) -> tuple[int, Message, bytes]:
        try:
            with self.opener.open(request, timeout=services.PATIENCE_SECONDS) as answer:
                return answer.status, answer.headers, answer.read()
        except HTTPError as error:
            with error:
                return error.code, error.headers, error.read()


@pytest.fixture
def visitor(services_site: Site) -> Visitor:
    return Visitor(services_site)


def test_sign_in_attempts_are_counted_across_processes(visitor: Visitor) -> None:
    visitor.get("/accounts/signup/")
    statuses = [visitor.post("/accounts/signup/", email="?")[0] for _ in range(25)]
    assert statuses[:20] == [200] * 20
    assert statuses[-1] == 429


def test_static_files_are_compressed_and_cached(visitor: Visitor) -> None:
    page = visitor.get("/accounts/login/")[2].decode()
    found = re.search(r'href="(/static/pages/site\.[0-9a-f]{12}\.css)"', page)
    assert found, page
    status, headers, body = visitor.get(found[1], **{"Accept-Encoding": "gzip"})
    assert status == 200
    assert "immutable" in headers["Cache-Control"]
    assert headers["Content-Encoding"] == "gzip"
    assert len(gzip.decompress(body)) > len(body)


def test_page_of_sent_emails_does_not_exist_in_production(visitor: Visitor) -> None:
    assert visitor.get("/mail/")[0] == 404


def test_error_page_does_not_show_debug_information(visitor: Visitor) -> None:
    status, _, body = visitor.get("/nowhere/")
    assert status == 404
    assert b"urlpatterns" not in body
    assert b"Traceback" not in body


@pytest.mark.parametrize(
    "beginning",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n",
        b"POST /accounts/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\nlogin",
    ],
    ids=["nothing", "headers", "body"],
)
def test_site_answers_while_fifty_requests_are_unfinished(
    visitor: Visitor, beginning: bytes
) -> None:
    host, port = urlsplit(visitor.site.url).netloc.split(":")
    with ExitStack() as stack:
        clients = [
            stack.enter_context(socket.create_connection((host, int(port)))) for _ in range(50)
        ]
        for client in clients:
            client.sendall(beginning)
        assert visitor.get("/accounts/login/")[0] == 200
        for client in clients:
            client.setblocking(False)
            with pytest.raises(BlockingIOError):  # the site has not ended this request to answer
                client.recv(1)


def test_metrics_add_up_all_processes(visitor: Visitor) -> None:
    assert visitor.get("/metrics")[0] == 401
    for _ in range(6):  # more than one process responds
        visitor.get("/primer/")
    visitor.site.call(start_task, "duels.tasks.tell_operators")
    give_up = time.monotonic() + services.PATIENCE_SECONDS
    requests = tasks = 0.0
    while requests < 6 or tasks < 1:
        assert time.monotonic() < give_up
        text = visitor.get("/metrics", Authorization=f"Bearer {METRICS_TOKEN}")[2].decode()
        metrics = parsed_metrics(text)
        requests = metrics.get(("spellcaster_requests_total", "200", "primer"), 0)
        task = ("spellcaster_tasks_total", "success", "duels.tasks.tell_operators")
        tasks = metrics.get(task, 0)
    assert metrics["spellcaster_tasks_waiting", "turns"] == 0


def start_task(name: str) -> None:
    from celery import current_app

    current_app.tasks[name].delay()
