"""Tests of JSON log lines: they name the request, task, duel and turn, but never quote orders."""

import contextlib
import json
import logging
from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any, Final
from unittest import mock

import pytest
from celery import shared_task
from django.test import Client
from django.utils.module_loading import import_string
from pytest_django import Settings

import engine.play
from duels.commands import resolution, sealing
from duels.errors import ResolutionFailed
from spellcaster.logs import JsonFormatter
from spellcaster.settings import LOGGING
from tests import services
from tests.cast import begin, hands, make_cast, open_turn, seal

SECRET: Final = "DFWFd at the goblin"

LogLines = Callable[[], list[dict[str, Any]]]


@shared_task
def failing_task(turn_id: int) -> None:
    """A task that fails, with an order in the messages of its exceptions."""
    try:
        raise KeyError(SECRET)
    except KeyError as error:
        raise RuntimeError(SECRET) from error


@pytest.fixture
def json_lines() -> Iterator[LogLines]:
    """The lines that the site's handler writes with LOG_JSON on."""
    configuration: dict[str, Any] = LOGGING
    out = StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(JsonFormatter())
    for name in configuration["handlers"]["stderr"]["filters"]:
        handler.addFilter(import_string(configuration["filters"][name]["()"])())
    loggers = [logging.getLogger(name) for name in ("", "django")]
    for logger in loggers:
        logger.addHandler(handler)
    yield lambda: [json.loads(line) for line in out.getvalue().splitlines()]
    for logger in loggers:
        logger.removeHandler(handler)
    assert SECRET not in out.getvalue()


@pytest.mark.django_db
def test_log_lines_of_a_request_contain_its_id_and_duel(
    json_lines: LogLines, settings: Settings
) -> None:
    settings.LOG_JSON = True
    cast = make_cast()
    duel = begin(cast.ada, cast.bram)
    client = Client(raise_request_exception=False)
    assert cast.ada.user
    client.force_login(cast.ada.user)
    with mock.patch.object(sealing, "seal_orders", side_effect=RuntimeError(SECRET)):
        form = {**hands("D", "F"), "turn": "1", "do": "seal", "left_subject": SECRET}
        response = client.post(f"/duels/{duel.pk}/orders", form)
    assert response.status_code == 500
    (line,) = (line for line in json_lines() if line["logger"] == "django.request")
    assert line["request"] == response["X-Request-ID"]
    assert line["duel"] == duel.pk
    assert line["level"] == "ERROR"
    assert line["error"].startswith("RuntimeError\n")


@pytest.mark.django_db
def test_log_line_of_a_failed_turn_contains_duel_and_turn(json_lines: LogLines) -> None:
    cast = make_cast()
    duel = begin(cast.ada, cast.bram)
    for wizard in (cast.ada, cast.bram):
        seal(duel, wizard, hands("-", "-"))
    turn = open_turn(duel)
    with (
        mock.patch.object(engine.play, "resolve", side_effect=RuntimeError(SECRET)),
        pytest.raises(ResolutionFailed),
    ):
        resolution.resolve_turn(turn_id=turn.pk)
    (line,) = (line for line in json_lines() if line["logger"] == resolution.__name__)
    assert (line["duel"], line["turn"]) == (duel.pk, turn.pk)


def test_failed_task_is_logged_without_messages_of_exceptions(json_lines: LogLines) -> None:
    failing_task.apply((7,))
    (line,) = json_lines()
    assert line["message"].endswith("raised unexpected: RuntimeError")
    assert line["error"].startswith("RuntimeError\n")
    assert "\nKeyError\n" in line["error"]


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_worker_logs_the_ids_of_its_tasks(
    broker: str, worker_environment: Callable[..., dict[str, str]]
) -> None:
    env = worker_environment("smtp://127.0.0.1:1", LOG_JSON="on")
    module = "tests.spellcaster.test_logs"
    with services.celery_workers(env, include=module, queues=("turns",)) as log:
        sent = failing_task.delay(7)
        found: list[dict[str, Any]] = []
        while not found:
            lines = [line for line in log.read_text().splitlines() if line.startswith("{")]
            with contextlib.suppress(json.JSONDecodeError):  # the last line is incomplete
                found = [line for line in map(json.loads, lines) if "error" in line]
        assert SECRET not in log.read_text()
    assert (found[0]["task_id"], found[0]["task"], found[0]["turn"]) == (
        sent.id,
        failing_task.name,
        7,
    )
