"""Thousands of malformed requests, over every address and method: no 500, and no change of state.

The usual run sends some of them; `make malformed` sends 20,000, and MALFORMED="…" as many as that.
On SQLite the statements are also held against what PostgreSQL would refuse.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from django.core import mail
from django.core.cache import caches
from django.core.signals import got_request_exception
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, settings
from pytest_django import Settings

from duels import commands, guests
from duels.models import User
from duels.referee import public as referee
from tests.cast import (
    Cast,
    begin,
    challenge,
    hands,
    make_cast,
    play,
    sign_in_with_second_factor,
)
from tests.mail_services import AUTHORIZATION, send_by
from tests.walks.addresses import Address, every_address
from tests.walks.odd import ADA, GUEST, OPERATOR, STRANGER, TOKEN, OddRequest, odd_requests
from tests.walks.wsgi_site import Answer, WSGISite, wsgi_site

REQUESTS = int(os.environ.get("MALFORMED", "1500"))
LARGEST = 2**63 - 1

# Written though the request is refused, and rightly: how often somebody has tried, and who is who.
NO_STATE = ("django_session", "shared_cache", "django_cache")
WRITES = re.compile(r'\s*(?:INSERT INTO|UPDATE|DELETE FROM|REPLACE INTO)\s+"?(\w+)', re.IGNORECASE)


class Watch:
    """Stands before the database: what a request has written, and what PostgreSQL would refuse."""

    def __init__(self) -> None:
        self.written: list[str] = []

    def __call__(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        for value in params or ():
            if isinstance(value, str):
                assert "\0" not in value, f"PostgreSQL takes no NUL: {sql[:200]}"
            if isinstance(value, int):
                assert abs(value) <= LARGEST, f"No column takes {value}: {sql[:200]}"
        result = execute(sql, params, many, context)
        found = WRITES.match(sql)
        if found and context["cursor"].rowcount and all(name not in found[1] for name in NO_STATE):
            self.written.append(sql[:200])
        return result


class Sender:
    """Sends odd requests to a site, as whoever sends them, and undoes what they have done."""

    def __init__(self, site: WSGISite, cookies: dict[str, str]) -> None:
        self.site, self.cookies = site, cookies
        self.errors: list[BaseException] = []
        self.statuses: dict[int, int] = {}

    def send(self, request: OddRequest) -> None:
        for each in caches.all(initialized_only=True):
            each.clear()
        self.errors.clear()
        watch = Watch()
        with _undone(), connection.execute_wrapper(watch):
            answer = self._answer(request)
        self.statuses[answer.status] = self.statuses.get(answer.status, 0) + 1
        is_hook = request.path.startswith("/webhooks/")
        if answer.status >= 500 and not (is_hook and answer.status == 503):
            raise AssertionError(f"{answer.status} for {request}") from next(
                iter(self.errors), None
            )
        if answer.status >= 400:
            assert watch.written == [], f"refused with {answer.status}, but written: {request}"
        for name, value in answer.headers:
            assert "\n" not in value, name
            if name == "Location":
                _check_stays_here(value, request)

    def _answer(self, request: OddRequest) -> Answer:
        environ = {"HTTP_COOKIE": self.cookies.get(request.who, "")}
        if request.path.startswith("/webhooks/"):
            environ["HTTP_AUTHORIZATION"] = AUTHORIZATION
        environ |= request.environ
        return self.site.call(request.path, request.method, request.body, environ)

    def note_error(self, sender: Any, **named: Any) -> None:
        error = sys.exc_info()[1]
        if error is not None:
            self.errors.append(error)


def _check_stays_here(location: str, request: OddRequest) -> None:
    """No request leads a browser to another site, also as browsers read addresses."""
    as_read = re.sub(r"[\t\r\n]", "", location).strip().replace("\\", "/")
    to = urlsplit(urljoin("http://testserver/here/", as_read))
    assert (to.scheme, to.netloc) == ("http", "testserver"), f"{location!r} for {request}"


@contextmanager
def _undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _session(client: Client) -> str:
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
    return f"{cookies}; csrftoken={TOKEN}"


def _laid_out(cast: Cast) -> tuple[dict[str, str], list[Address]]:
    """A duel, a challenge, a lesson and a case; the cookies of whoever sends, and all addresses."""
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("W", "P"), cast.bram: hands("S", "D")})
    challenge(cast.bram)
    assert cast.ada.user is not None
    ada, guest, operator = Client(), Client(), Client()
    ada.force_login(cast.ada.user)
    root = User.objects.create_superuser("root@example.org", "x")
    sign_in_with_second_factor(operator, commands.appoint_referee(email=root.email))
    assert guest.post("/play").status_code == 302
    assert guests.COOKIE in guest.cookies
    commands.say(duel_id=duel.pk, wizard=cast.ada, words="Well met.", now=timezone.now())
    stranger = f"sessionid=nobody's; guest=forged:1:x; csrftoken={TOKEN}"
    sessions = {ADA: _session(ada), GUEST: _session(guest), OPERATOR: _session(operator)}
    known = {"duel_id": str(duel.pk), "number": _dispute(cast, root)}
    return sessions | {STRANGER: stranger}, every_address(known)


def _dispute(cast: Cast, judge: User) -> str:
    """The number of a dispute of Cleo's with Dorn, which this referee has taken up."""
    case = referee.open_dispute(
        duel_id=begin(cast.cleo, cast.dorn).pk,
        wizard=cast.cleo,
        ordinal=1,
        category="rule",
        rule="r21",
        words="My shield should have stopped it.",
        now=timezone.now(),
    )
    referee.claim(case_id=case.pk, user=judge, now=timezone.now())
    return str(case.pk)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_malformed_requests_are_refused_and_change_nothing(db: None, settings: Settings) -> None:
    send_by(settings, "postmark")
    cookies, addresses = _laid_out(make_cast())
    mail.outbox.clear()
    with wsgi_site() as site:
        sender = Sender(site, cookies)
        got_request_exception.connect(sender.note_error)
        try:
            _send_many(sender, addresses)
        finally:
            got_request_exception.disconnect(sender.note_error)
    assert mail.outbox == []
    print(dict(sorted(sender.statuses.items())))  # noqa: T201  # what `make malformed` shows


def _send_many(sender: Sender, addresses: list[Address]) -> None:
    @settings(
        max_examples=REQUESTS,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(odd_requests(addresses))
    def send(request: OddRequest) -> None:
        sender.send(request)

    send()
