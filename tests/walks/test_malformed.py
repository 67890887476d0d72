"""Malformed requests to every URL, which must not cause errors or change anything.

The usual run sends a sample that changes daily; `make malformed` sends 20,000. Both kinds of run
print a command that repeats the run, and each failure prints one that repeats only its own request:

    MALFORMED=1 MALFORMED_FIRST=731 MALFORMED_SEED=2026-03-01 make malformed

On SQLite, every statement is also checked for values that PostgreSQL would reject.
"""

import logging
import os
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from random import Random
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from django.core import mail
from django.core.cache import caches
from django.core.signals import got_request_exception
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from duels.commands import speaking
from duels.models import Duel, User
from duels.referees import appointments
from duels.referees.cases.case_acts import open_sealed_orders
from duels.referees.cases.disputes import open_dispute
from duels.referees.cases.handling import claim_case
from duels.sign_in import guests
from tests.cast import (
    Cast,
    begin,
    challenge,
    hands,
    make_cast,
    open_turn,
    play,
    seal,
    sign_in_with_second_factor,
)
from tests.duels.test_views_states import set_up
from tests.mail_services import AUTHORIZATION, use_mail_service
from tests.walks.addresses import Address, every_address
from tests.walks.fields import field_names, form_field_names, is_known
from tests.walks.forms import RenderedForm, forms_in
from tests.walks.odd import (
    ADA,
    DORN,
    GUEST,
    NOBODY,
    OPERATOR,
    STRANGER,
    TOKEN,
    OddRequest,
    OddRequests,
)
from tests.walks.wsgi_site import SiteResponse, WSGISite, wsgi_site

REQUEST_COUNT = int(os.environ.get("MALFORMED", "600"))
FIRST_REQUEST = int(os.environ.get("MALFORMED_FIRST", "0"))
SEED = os.environ.get("MALFORMED_SEED") or datetime.now(UTC).date().isoformat()
MAX_FAILURES = 10
LARGEST_INTEGER = 2**63 - 1

# Tables that rejected requests may change. They count attempts, identify visitors and keep rejected
# seals.
TABLES_WITHOUT_STATE = ("django_session", "shared_cache", "django_cache", "duels_rejectedseal")
REJECTION_COUNT_UPDATE = 'UPDATE "duels_turn" SET "rejections" ='
WRITE_PATTERN = re.compile(
    r'\s*(?:INSERT INTO|UPDATE|DELETE FROM|REPLACE INTO)\s+"?(\w+)', re.IGNORECASE
)


class WriteRecorder:
    """A database wrapper that records writes and fails on values that PostgreSQL would reject.

    If a write is rolled back, it is removed from the record.
    """

    def __init__(self) -> None:
        self.written: list[str] = []
        self._written_at: dict[str, int] = {}  # number of recorded writes before each savepoint

    def __call__(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        for value in params or ():
            if isinstance(value, str):
                assert "\0" not in value, f"PostgreSQL rejects NUL: {sql[:200]}"
            if isinstance(value, int):
                assert abs(value) <= LARGEST_INTEGER, f"No column can store {value}: {sql[:200]}"
        result = execute(sql, params, many, context)
        found = WRITE_PATTERN.match(sql)
        is_state = found and all(name not in found[1] for name in TABLES_WITHOUT_STATE)
        if is_state and context["cursor"].rowcount and not sql.startswith(REJECTION_COUNT_UPDATE):
            self.written.append(sql[:200])
        if sql.startswith("SAVEPOINT "):
            self._written_at[sql.removeprefix("SAVEPOINT ")] = len(self.written)
        elif sql.startswith("ROLLBACK TO SAVEPOINT "):
            del self.written[self._written_at[sql.removeprefix("ROLLBACK TO SAVEPOINT ")] :]
        return result


class Sender:
    """A client that sends requests with the cookies of their senders, and undoes their effects."""

    def __init__(self, site: WSGISite, cookies: Mapping[str, str], names: Collection[str]) -> None:
        self.site, self.cookies = site, cookies
        self.names = names  # names of fields that depend on the test's data, such as open questions
        self.errors: list[BaseException] = []
        self.statuses: dict[int, int] = {}

    def send(self, request: OddRequest) -> SiteResponse:
        for each in caches.all(initialized_only=True):
            each.clear()
        self.errors.clear()
        mail.outbox.clear()
        watch = WriteRecorder()
        with _rolled_back(), connection.execute_wrapper(watch):
            answer = self._answer(request)
        self.statuses[answer.status] = self.statuses.get(answer.status, 0) + 1
        is_hook = request.path.startswith("/webhooks/")
        if answer.status >= 500 and not (is_hook and answer.status == 503):
            raise AssertionError(f"{answer.status} for {request}") from next(
                iter(self.errors), None
            )
        if answer.status >= 400:
            assert watch.written == [], f"rejected with {answer.status}, but written: {request}"
            assert mail.outbox == [], f"rejected with {answer.status}, but emailed: {request}"
        for name, value in answer.headers:
            assert "\n" not in value, name
            if name == "Location":
                _check_redirect_stays_on_site(value, request)
        # A form that is shown again has the field names of the request.
        names = [] if "data-unsent" in answer.html else form_field_names(answer.html)
        unknown = {each for each in names if not is_known(each)} - {*self.names}
        assert not unknown, f"{sorted(unknown)} at {request.path}: unknown to tests/walks/fields.py"
        return answer

    def _answer(self, request: OddRequest) -> SiteResponse:
        environ = {"HTTP_COOKIE": self.cookies.get(request.who, "")}
        if request.path.startswith("/webhooks/"):
            environ["HTTP_AUTHORIZATION"] = AUTHORIZATION
        environ |= request.environ
        return self.site.call(request.path, request.method, request.body, environ)

    def note_error(self, sender: Any, **named: Any) -> None:
        error = sys.exc_info()[1]
        if error is not None:
            self.errors.append(error)


def _check_redirect_stays_on_site(location: str, request: OddRequest) -> None:
    """Assert that browsers stay on this site, however they interpret the address."""
    as_read = re.sub(r"[\t\r\n]", "", location).strip().replace("\\", "/")
    to = urlsplit(urljoin("http://testserver/here/", as_read))
    assert (to.scheme, to.netloc) == ("http", "testserver"), f"{location!r} for {request}"


@contextmanager
def _rolled_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _session_cookies(client: Client) -> str:
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
    return f"{cookies}; csrftoken={TOKEN}"


def _signed_in(cast: Cast, root: User) -> dict[str, str]:
    """Return the cookies of all senders."""
    ada, dorn, guest, operator = Client(), Client(), Client(), Client()
    assert cast.ada.user is not None
    assert cast.dorn.user is not None
    ada.force_login(cast.ada.user)
    dorn.force_login(cast.dorn.user)
    sign_in_with_second_factor(operator, appointments.appoint_referee(email=root.email))
    assert guest.post("/play").status_code == 302
    assert guests.GUEST_COOKIE in guest.cookies
    clients = {ADA: ada, DORN: dorn, GUEST: guest, OPERATOR: operator}
    stranger = f"sessionid=nobody's; guest=forged:1:x; csrftoken={TOKEN}"
    return {name: _session_cookies(each) for name, each in clients.items()} | {STRANGER: stranger}


def _create_duels(cast: Cast) -> list[Duel]:
    """Create duels for Ada.

    They are a running duel, one in which Ada has sealed, one in which she must answer a question,
    one with monsters, one that is over, and a challenge to everyone.
    """
    running, sealed, asked, over = (
        begin(cast.ada, cast.bram, strict=strict) for strict in (False, False, True, False)
    )
    play(running, {cast.ada: hands("W", "P"), cast.bram: hands("S", "D")})
    speaking.send_message(
        duel_id=running.pk, wizard=cast.ada, words="Well met.", now=timezone.now()
    )
    seal(sealed, cast.ada, hands("W", "P"))
    for left, right in ("FW", "FS", "FD"):
        play(asked, {cast.ada: hands(left, right), cast.bram: hands("W", "D")})
    assert open_turn(asked).questions
    for letter in "WP":
        play(over, {cast.ada: hands(letter, letter), cast.bram: hands("W", "D")})
    goblins = [{"kind": "goblin", "controller": "w0"}] * 3
    monsters = set_up(cast, {}, {}, *goblins, ruleset="spellcast-1")
    return [running, sealed, asked, monsters, over, challenge(cast.bram)]


def _create_dispute(cast: Cast, judge: User) -> str:
    """Create a dispute by Cleo about a duel with Dorn, and return its number.

    The referee has claimed the case and opened its turn.
    """
    case = open_dispute(
        duel_id=begin(cast.cleo, cast.dorn).pk,
        wizard=cast.cleo,
        ordinal=1,
        category="rule",
        rule="r21",
        words="My shield should have stopped it.",
        now=timezone.now(),
    )
    claim_case(case_id=case.pk, user=judge, now=timezone.now())
    open_sealed_orders(
        case_id=case.pk,
        referee=judge,
        ordinal=1,
        voided_in=0,
        reason="To see the shield.",
        now=timezone.now(),
    )
    return str(case.pk)


def _all_addresses(duels: Sequence[Duel], case: str) -> list[Address]:
    """Return every address. Addresses of a duel are repeated for each of these duels."""
    found = {
        address.path: address
        for duel in duels
        for address in every_address({"duel_id": str(duel.pk), "number": case})
    }
    return list(found.values())


@pytest.fixture
def world(db: None, settings: Settings) -> Iterator[tuple[Sender, list[Address]]]:
    """Yield all addresses, and a client for a site with duels, a challenge, a lesson and a case."""
    use_mail_service(settings, "postmark")
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    cast = make_cast()
    duels = _create_duels(cast)
    root = User.objects.create_superuser("root@example.org", "x")
    cookies, case = _signed_in(cast, root), _create_dispute(cast, root)
    questions = [
        each["id"] for duel in duels for turn in duel.turns.all() for each in turn.questions
    ]
    logging.disable()  # logging tracebacks takes longer than the requests
    with wsgi_site() as site:
        sender = Sender(site, cookies, questions)
        got_request_exception.connect(sender.note_error)
        try:
            yield sender, _all_addresses(duels, case)
        finally:
            got_request_exception.disconnect(sender.note_error)
            logging.disable(logging.NOTSET)


def _forms_by_route(sender: Sender, addresses: Sequence[Address]) -> dict[str, list[RenderedForm]]:
    """Return the forms of all pages, by the routes of their targets.

    The sender also asserts that `tests/walks/fields.py` knows all fields of each page.
    """
    found: dict[str, list[RenderedForm]] = {}
    routes = {address.path: address.route for address in addresses}
    for address in addresses:
        is_operators = address.path.startswith(("/desk/", "/admin/"))
        for who in (OPERATOR,) if is_operators else (ADA, NOBODY):
            answer = sender.send(OddRequest(who, "GET", address.path))
            for form in forms_in(answer.html) if answer.html else ():
                for target in (form.targets or {address.path}) & routes.keys():
                    found.setdefault(routes[target], []).append(form)
    return found


def test_unknown_field_of_a_page_is_reported() -> None:
    """The sender asserts that `tests/walks/fields.py` knows all fields of every page."""
    assert form_field_names('<p><input\n type="text" name="colour" value=">">') == ["colour"]
    assert not is_known("colour")
    assert all(map(is_known, ("left_subject2", "victim:m7", "give_back-reason", "draw-value-3")))
    assert {"subject", "gesture", "held", "answer"} <= field_names().whole


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_malformed_requests_are_rejected_and_change_nothing(
    world: tuple[Sender, list[Address]], record_property: Callable[[str, object], None]
) -> None:
    record_property("MALFORMED_SEED", SEED)
    sender, addresses = world
    forms = _forms_by_route(sender, addresses)
    shown = {name for each in forms.values() for form in each for name, _ in form.fields}
    assert {"left", "victim:m1", "form_seal", "password", "pace_unit", "orders-w0", "q"} <= shown
    assert {*sender.names} <= shown
    requests = OddRequests(addresses, forms)
    failures: list[Exception] = []
    for number in range(FIRST_REQUEST, FIRST_REQUEST + REQUEST_COUNT):
        try:
            sender.send(requests.request(Random(f"{SEED} {number}")))
        except Exception as failure:
            failure.add_note(f"MALFORMED=1 MALFORMED_FIRST={number} MALFORMED_SEED={SEED}")
            failures.append(failure)
            if len(failures) == MAX_FAILURES:
                break
    print(dict(sorted(sender.statuses.items())), f"MALFORMED_SEED={SEED}")  # noqa: T201  # for `make malformed`
    if failures:
        raise ExceptionGroup(f"repeat with MALFORMED_SEED={SEED}", failures)
