"""Sealed orders, drafts and answers, which are stored only in their own encrypted rows. Promise 1

The tests put a word into orders, a draft and rejected input. The tests then search for this word
everywhere else: in logs, error pages, emails to operators, the cache, sessions, task messages, the
admin's history and every database column.
"""

import logging
from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest
from celery import Task
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.core import mail
from django.core.cache import caches
from django.test import Client
from django.utils.log import AdminEmailHandler

import engine
from duels import errors
from duels.commands import resolution
from duels.delivery.nudging import TaskName
from duels.models import Duel, User
from spellcaster.error_reports import FormatterWithoutValues
from tests.cast import LATER, Cast, begin, hands, open_turn, seal, signed_in
from tests.duels.duel_page import post_orders

pytestmark = pytest.mark.django_db
PLANTED_WORD = "abrakadabraxas"
PLAN = hands("W", "P", say=f"{PLANTED_WORD} sealed")


@pytest.fixture
def duel(cast: Cast) -> Duel:
    return begin(cast.ada, cast.bram)


@pytest.fixture
def log_lines() -> Iterator[list[str]]:
    """All lines that the site logs, in their final format."""
    lines: list[str] = []
    formatter = FormatterWithoutValues("%(levelname)s %(name)s: %(message)s")

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(formatter.format(record))

    handler, loggers = Kept(), [logging.getLogger(name) for name in ("", "django")]
    for each in loggers:
        each.addHandler(handler)
    yield lines
    for each in loggers:
        each.removeHandler(handler)


def kept_by_the_cache() -> str:
    """Return the raw contents of the cache, in which text can be found."""
    return repr(vars(caches["default"])["_cache"])


def kept_by_the_database() -> str:
    """Return all values of all rows. Sealed orders and drafts are included, but encrypted."""
    return repr([list(model._base_manager.values_list()) for model in apps.get_models()])


def test_sealed_orders_are_not_stored_anywhere_else(
    cast: Cast, duel: Duel, log_lines: list[str], django_capture_on_commit_callbacks: Any
):
    ada = signed_in(cast.ada)
    sent: list[Any] = []
    with (
        mock.patch.object(
            Task, "apply_async", lambda task, *given, **n: sent.append((task, given, n))
        ),
        django_capture_on_commit_callbacks(execute=True),
    ):
        assert post_orders(ada, duel, PLAN, do="draft").status_code == 302
        assert PLANTED_WORD in ada.get(f"/duels/{duel.pk}/").content.decode()
        assert post_orders(ada, duel, PLAN | {"left": "Q"}).status_code == 422
        assert post_orders(ada, duel, PLAN, do="look").status_code == 200
        assert post_orders(ada, duel, PLAN).status_code == 302
        assert (
            post_orders(
                ada, duel, hands("W", "D", say=PLANTED_WORD), form_seal="0" * 64
            ).status_code
            == 409
        )
        assert PLANTED_WORD in ada.get(f"/duels/{duel.pk}/").content.decode()
    assert [given[0] for task, given, _ in sent if task.name == TaskName.RESOLVE_TURN] == [
        (open_turn(duel).pk,)
    ]
    operator = User.objects.create_superuser("operator@example.org", "a hand and a half")
    desk = Client()
    desk.force_login(operator)
    shown = [
        desk.get(address).content.decode(errors="replace")
        for model in ("duel", "turn", "orders")
        for address in [f"/admin/duels/{model}/"]
    ]
    session = repr([dict(each.session.items()) for each in (ada, desk)])
    places = {
        "log": "".join(log_lines),
        "cache": kept_by_the_cache(),
        "session": session,
        "database": kept_by_the_database(),
        "tasks": repr(sent),
        "admin": "".join(shown) + repr(list(LogEntry.objects.values())),
        "mails": repr([vars(message) for message in mail.outbox]),
    }
    assert [name for name, text in places.items() if PLANTED_WORD in text] == []


@pytest.mark.parametrize("debug", [False, True])
def test_error_report_does_not_contain_orders(
    cast: Cast, duel: Duel, log_lines: list[str], settings: Any, debug: bool
):
    """The form, the variables of all stack frames and the messages of exceptions contain orders."""
    settings.DEBUG, settings.ADMINS = debug, [("Operator", "operator@example.org")]
    ada = signed_in(cast.ada)
    ada.raise_request_exception = False
    handler = AdminEmailHandler(include_html=True)
    logging.getLogger("django.request").addHandler(handler)
    try:
        with mock.patch.object(engine.play, "check", side_effect=_fail):
            answer = post_orders(ada, duel, PLAN)
    finally:
        logging.getLogger("django.request").removeHandler(handler)
    assert answer.status_code == 500
    (report,) = mail.outbox
    assert isinstance(report, mail.EmailMultiAlternatives)
    ((html, _),) = report.alternatives
    lines = "".join(log_lines)
    for told in (str(report.body), str(html), lines):
        assert "RuntimeError" in told
        assert "test_plans_at_rest.py" in told
        assert "say" in told or told is lines  # the report contains the names of fields
        assert PLANTED_WORD not in told
    assert PLANTED_WORD not in answer.content.decode()
    if debug:
        assert "RuntimeError" in answer.content.decode()


def test_turn_that_fails_does_not_reveal_its_orders(cast: Cast, duel: Duel, log_lines: list[str]):
    """Promise 1: neither the worker's log nor the admin's row nor the alarm contains the orders."""
    seal(duel, cast.ada, PLAN)
    seal(duel, cast.bram, hands("-", "-"))
    with (
        mock.patch.object(engine.play, "resolve", side_effect=_fail),
        pytest.raises(errors.ResolutionFailed) as failed,
    ):
        resolution.resolve_turn(turn_id=open_turn(duel).pk, now=LATER)
    told = "".join(log_lines) + str(failed.value) + repr(failed.value.__context__)
    assert "could not be resolved" in told
    assert PLANTED_WORD not in told + kept_by_the_database()


def _fail(*arguments: Any, **named: Any) -> None:
    """Fail like code whose error message and cause quote its arguments."""
    try:
        raise KeyError(repr(arguments) + PLANTED_WORD)
    except KeyError as error:
        error.add_note(PLANTED_WORD)
        raise RuntimeError(f"cannot read {arguments} {PLANTED_WORD}") from error
