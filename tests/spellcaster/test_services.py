"""Tests of the servers that other tests use, and of the site while its servers are down."""

import smtplib
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from celery import shared_task
from django.contrib.auth import get_user_model
from django.db import connection
from kombu.exceptions import OperationalError

from spellcaster.celery import app
from tests import services


@shared_task
def noop_task() -> None:
    """A task that no worker runs."""


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_fixture_starts_workers_for_all_queues_on_its_own_broker(
    celery_workers: Path,
) -> None:
    listening = (
        app.control.inspect(timeout=services.PATIENCE_SECONDS, limit=2).active_queues() or {}
    )
    queues = {node.partition("@")[0]: [q["name"] for q in of] for node, of in listening.items()}
    assert queues == {"turns": ["turns", "sweep"], "post": ["post"]}
    # Workers do not spend a second of their start on a search for other workers.
    assert "mingle" not in celery_workers.read_text()


def test_beat_schedules_only_existing_tasks() -> None:
    app.loader.import_default_modules()
    called = {entry["task"] for entry in app.conf.beat_schedule.values()}
    rounds = {
        "duels.tasks.sweep",
        "duels.tasks.tell_operators",
        "duels.post.tasks.deliver_due",
        "duels.push.tasks.deliver_due",
        "duels.archive.tasks.choose_daily_duel",
        "duels.archive.tasks.write_download",
        "duels.matching.tasks.pair_wizards",
        "duels.webhooks.tasks.deliver_due",
    }
    assert called == rounds
    assert called <= set(app.tasks)


@pytest.mark.services
@pytest.mark.django_db
def test_tests_with_services_use_postgresql() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("needs PostgreSQL as the test database: `make test` brings one")
    assert not get_user_model().objects.exists()


@pytest.mark.services
def test_message_waits_in_redis_without_a_worker(broker: str) -> None:
    import redis

    noop_task.delay()
    with redis.Redis.from_url(broker) as server:
        assert server.llen("turns") == 1


def test_broker_that_refuses_connections_is_tried_once(
    broken_broker: Callable[[int], None], connection_timeouts: list[float | None]
) -> None:
    broken_broker(services.free_port())
    with pytest.raises(OperationalError):
        noop_task.delay()
    assert connection_timeouts == [1]


def test_sending_a_task_times_out_if_the_broker_does_not_respond(
    broken_broker: Callable[[int], None], connection_timeouts: list[float | None]
) -> None:
    with services.silent_server() as port:
        broken_broker(port)
        with pytest.raises(OperationalError):
            noop_task.delay()
    assert connection_timeouts == [1]


def test_mail_sink_stores_received_emails(mail_sink: services.MailSink) -> None:
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = "a@duels.example", "b@duels.example", "Hello"
    letter.set_content("A duel awaits.")
    port = urlsplit(mail_sink.url).port
    assert port
    with smtplib.SMTP("127.0.0.1", port) as smtp:
        smtp.send_message(letter)
    assert [mail["Subject"] for mail in mail_sink.mails] == ["Hello"]
