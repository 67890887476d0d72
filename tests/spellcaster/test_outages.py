"""Tests of responses and log lines while the database or the broker does not respond."""

import logging
from collections.abc import Callable
from typing import Any
from unittest import mock

import kombu.exceptions
import pytest
from django.db import OperationalError, connections, transaction
from django.db.backends.postgresql.base import DatabaseWrapper
from django.db.backends.postgresql.psycopg_any import errors
from django.test import Client

from duels import tasks
from duels.clocks.budget import Budget
from duels.commands import error_isolation
from duels.delivery import nudging
from spellcaster import outages
from spellcaster.sessions import SessionStore
from tests import services
from tests.cast import make_wizard


@pytest.fixture
def site(db: None) -> Client:
    client = Client(raise_request_exception=False)
    user = make_wizard("Ada").user
    assert user is not None
    client.force_login(user)
    return client


def failing_session_load(error: Exception) -> Any:
    return mock.patch.object(SessionStore, "load", side_effect=error)


def refused_connection() -> Exception:
    """The error of a server that is down."""
    settings = connections["default"].settings_dict
    address = {"HOST": "127.0.0.1", "PORT": str(services.free_port()), "NAME": "x", "USER": "x"}
    wrapper = DatabaseWrapper({**settings, **address, "PASSWORD": "", "OPTIONS": {}})
    with pytest.raises(OperationalError) as caught:
        wrapper.ensure_connection()
    return caught.value


def error_with_cause(cause: Callable[[], Exception]) -> Exception:
    error = OperationalError()
    error.__cause__ = cause()
    return error


ENDED_CONNECTION = pytest.param(
    lambda: error_with_cause(errors.AdminShutdown), id="ended connection"
)
REFUSED_CONNECTION = pytest.param(refused_connection, id="refused connection")
TOO_MANY_CONNECTIONS = pytest.param(
    lambda: error_with_cause(errors.TooManyConnections), id="too many connections"
)


@pytest.mark.sqlite
@pytest.mark.parametrize("make_error", [REFUSED_CONNECTION, ENDED_CONNECTION, TOO_MANY_CONNECTIONS])
def test_database_outage_returns_503_with_retry_after(
    site: Client, make_error: Callable[[], Exception]
) -> None:
    with failing_session_load(make_error()):
        response = site.get("/settings/")
    assert response.status_code == 503
    assert response["Retry-After"] == "60"
    assert "cannot reach its database" in response.text


@pytest.mark.parametrize(
    "error",
    [
        error_with_cause(errors.DeadlockDetected),
        error_with_cause(errors.UndefinedTable),
        ValueError(),
    ],
    ids=["deadlock", "missing table", "fault in the code"],
)
def test_other_errors_return_500_without_retry_after(site: Client, error: Exception) -> None:
    with failing_session_load(error):
        response = site.get("/settings/")
    assert response.status_code == 500
    assert "Retry-After" not in response


def log_of_four_outages(
    monkeypatch: pytest.MonkeyPatch, logger: str, handling_logger: str, fail: Callable[[], object]
) -> list[logging.LogRecord]:
    """Return the log lines of an error that is raised four times in 61 seconds."""
    seconds = iter([1_000.0, 1_000.5, 1_059.0, 1_061.0])
    monkeypatch.setattr(outages, "monotonic", lambda: next(seconds))
    (outage_filter,) = logging.getLogger(logger).filters
    monkeypatch.setattr(outage_filter, "next_lines", {})
    records: list[logging.LogRecord] = []
    handler = logging.Handler()
    monkeypatch.setattr(handler, "emit", records.append)
    with mock.patch.object(logging.getLogger(handling_logger), "handlers", [handler]):
        for _ in range(4):
            fail()
    assert not any(record.exc_info for record in records)
    return records


def test_outage_writes_one_log_line_a_minute(site: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    with failing_session_load(refused_connection()):
        records = log_of_four_outages(
            monkeypatch, "django.request", "django", lambda: site.get("/settings/")
        )
    expected = "The database does not respond: Service Unavailable: /settings/"
    assert [record.getMessage() for record in records] == [expected, expected]


@pytest.mark.usefixtures("db")
def test_outage_in_tasks_writes_one_log_line_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "database_now", mock.Mock(side_effect=refused_connection()))
    records = log_of_four_outages(
        monkeypatch, "celery.app.trace", "celery", lambda: tasks.sweep.apply(throw=False)
    )
    assert len(records) == 2
    for record in records:
        assert record.getMessage().startswith(
            "The database does not respond: Task duels.tasks.sweep"
        )
        assert "\n" not in record.getMessage()


@pytest.mark.django_db(transaction=True)
def test_outage_of_the_broker_writes_one_log_line_a_minute(
    monkeypatch: pytest.MonkeyPatch, broken_broker: Callable[[int], None]
) -> None:
    broken_broker(services.free_port())

    def commit_seal() -> None:
        with transaction.atomic():
            nudging.request_resolution(1)

    records = log_of_four_outages(monkeypatch, "django.db.backends.base", "django", commit_seal)
    assert len(records) == 2
    for record in records:
        assert record.getMessage().startswith("The broker does not respond: Error calling ")


@pytest.mark.usefixtures("db")
def test_outages_of_database_and_broker_are_both_logged() -> None:
    outage_filter = outages.OutageFilter()
    errors_of_both = (refused_connection(), kombu.exceptions.OperationalError("no route"))
    lines = [
        logging.LogRecord("x", logging.ERROR, "", 1, "failed", (), (type(each), each, None))
        for each in errors_of_both
    ]
    assert [outage_filter.filter(line) for line in lines] == [True, True]
    assert [line.getMessage() for line in lines] == [
        "The database does not respond: failed",
        "The broker does not respond: failed",
    ]


@pytest.mark.usefixtures("db")
def test_outage_of_the_database_ends_a_sweep_early() -> None:
    error = refused_connection()
    tried: list[int] = []

    def fail(row_id: int) -> bool:
        tried.append(row_id)
        raise error

    with pytest.raises(OperationalError):
        error_isolation.run_for_each([1, 2, 3], fail, Budget(60), "Row")
    assert tried == [1]
