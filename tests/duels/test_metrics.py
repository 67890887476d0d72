"""The metrics at `/metrics`: access, gauges, and counters in Redis."""

import os
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.test.utils import override_settings
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from duels.commands import resolution
from duels.loaded.database_clock import database_now
from duels.models import Alarm, AlarmKind, LastSweep, OutboxStatus, Seat
from duels.post.models import Notice, SilencedAddress
from duels.webhooks.models import WebhookMessage
from duels.webhooks.public import Service, add_webhook
from spellcaster import counters
from tests import services
from tests.cast import Cast, begin, hands, open_turn, seal

TOKEN = "for-tests-only"
AUTHORIZED_HEADERS = {"authorization": f"Bearer {TOKEN}", "host": "10.0.0.7:8000"}
IDLE = hands("-", "-")

Metrics = dict[tuple[str, ...], float]


def parsed_metrics(text: str) -> Metrics:
    """Return the value of each sample, by its name and the values of its labels."""
    families = text_string_to_metric_families(text)
    samples = (sample for family in families for sample in family.samples)
    return {(each.name, *each.labels.values()): each.value for each in samples}


@pytest.fixture
def read_metrics() -> Iterator[Callable[[], Metrics]]:
    with override_settings(METRICS_TOKEN=TOKEN):
        client = Client(headers=AUTHORIZED_HEADERS)
        yield lambda: parsed_metrics(client.get("/metrics").text)


@pytest.mark.django_db
def test_there_are_no_metrics_without_a_token() -> None:
    assert (
        Client(headers=AUTHORIZED_HEADERS | {"host": "testserver"}).get("/metrics").status_code
        == 404
    )


@pytest.mark.parametrize("header", [{}, {"authorization": "Bearer other"}, {"authorization": ""}])
def test_metrics_require_the_right_token(header: dict[str, str], settings: Settings) -> None:
    settings.METRICS_TOKEN = TOKEN
    assert Client(headers=header).get("/metrics").status_code == 401


@pytest.mark.sqlite
@pytest.mark.django_db
def test_metrics_show_the_age_of_the_oldest_unfinished_work(
    cast: Cast, read_metrics: Callable[[], Metrics]
) -> None:
    metrics = read_metrics()
    works = (
        "complete_turn",
        "deadline",
        "notice",
        "push",
        "webhook_message",
        "case",
        "sweep",
    )
    assert {work: metrics["spellcaster_oldest_seconds", work] for work in works} == (
        dict.fromkeys(works, 0)
    )
    now = database_now()
    complete, overdue = begin(cast.ada, cast.bram), begin(cast.cleo, cast.dorn)
    seal(complete, cast.ada, IDLE, now=now - timedelta(minutes=9))
    seal(complete, cast.bram, IDLE, now=now - timedelta(minutes=4))
    Seat.objects.filter(duel=overdue).update(due_at=now - timedelta(minutes=3))
    Notice.objects.update(due_at=now - timedelta(minutes=2))
    address = "https://chat.example.org/hooks/1"
    webhook = add_webhook(wizard=cast.ada, service=Service.SLACK, address=address, now=now)
    WebhookMessage.objects.create(
        webhook=webhook, created_at=now, due_at=now - timedelta(seconds=90)
    )
    LastSweep.objects.update_or_create(pk=1, defaults={"began_at": now - timedelta(minutes=1)})
    metrics = read_metrics()
    ages = [metrics["spellcaster_oldest_seconds", work] for work in works]
    assert ages == pytest.approx([240, 180, 120, 0, 90, 0, 60], abs=20)


@pytest.mark.django_db
def test_metrics_count_notices_in_the_outbox_by_state(
    cast: Cast, read_metrics: Callable[[], Metrics]
) -> None:
    begin(cast.ada, cast.bram)
    first, second, *_ = Notice.objects.order_by("pk")
    now = database_now()
    Notice.objects.filter(pk=first.pk).update(attempts=1)
    Notice.objects.filter(pk=second.pk).update(
        status=OutboxStatus.SENT, sent_at=now, created_at=now
    )
    others = Notice.objects.exclude(pk__in=[first.pk, second.pk]).count()
    metrics = read_metrics()
    states = ("queued", "retrying", "sending", "sent", "failed", "dropped")
    found = [metrics["spellcaster_notices", state] for state in states]
    assert found == [others, 1, 0, 1, 0, 0]
    Notice.objects.update(created_at=F("created_at") - timedelta(hours=2))
    assert read_metrics()["spellcaster_notices", "sent"] == 0


@pytest.mark.django_db
def test_addresses_turned_off_and_alarms_are_counted(read_metrics: Callable[[], Metrics]) -> None:
    now = database_now()
    SilencedAddress.objects.create(address="ada@duels.example", since=now, cause="bounce")
    SilencedAddress.objects.create(address="bo@duels.example", since=now, lifted_at=now)
    Alarm.objects.create(kind=AlarmKind.KEYS, about="web", words="", created_at=now, due_at=now)
    metrics = read_metrics()
    assert metrics["spellcaster_silenced_addresses", "bounce"] == 1
    assert ("spellcaster_silenced_addresses", "refusal") not in metrics
    assert metrics["spellcaster_alarms", "keys"] == 1


@pytest.mark.django_db
def test_services_that_do_not_respond_are_reported(
    read_metrics: Callable[[], Metrics], broken_broker: Callable[[int], None], settings: Settings
) -> None:
    broken_broker(services.free_port())
    settings.REDIS_URL = "redis://127.0.0.1/0"
    metrics = read_metrics()
    assert metrics["spellcaster_up", "broker"] == 0
    assert metrics["spellcaster_up", "database"] == 1
    assert ("spellcaster_tasks_waiting", "turns") not in metrics


@pytest.mark.django_db
def test_resolved_turns_are_counted_with_their_delay(
    cast: Cast, read_metrics: Callable[[], Metrics], django_capture_on_commit_callbacks: Any
) -> None:
    before = read_metrics()
    duel = begin(cast.ada, cast.bram)
    now = database_now()
    seal(duel, cast.ada, IDLE, now=now - timedelta(seconds=40))
    seal(duel, cast.bram, IDLE, now=now - timedelta(seconds=30))
    with django_capture_on_commit_callbacks(execute=True):
        resolution.resolve_turn(turn_id=open_turn(duel).pk, now=now)
    after = read_metrics()
    more = {key: value - before.get(key, 0) for key, value in after.items()}
    assert more["spellcaster_turns_resolved_total",] == 1
    assert more["spellcaster_turn_seconds_sum",] == pytest.approx(30, abs=10)
    assert more["spellcaster_turn_seconds_bucket", "15.0"] == 0
    assert more["spellcaster_turn_seconds_bucket", "60.0"] == 1


@pytest.mark.services
def test_counters_of_several_processes_are_added_up(
    redis_server: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.METRICS_TOKEN = TOKEN
    settings.CACHE_URL = redis_server.removesuffix("/0") + "/5"
    monkeypatch.setattr(counters, "_published_counts", {})
    monkeypatch.setattr(counters, "_publishing_pid", os.getpid())  # do not start a thread
    counters.count_task("duels.tasks.tell_operators", "SUCCESS")
    counters.count_task("duels.tasks.sweep", "FAILURE")
    counters.publish_counts()
    one = shared_counters()["spellcaster_tasks_total", "duels.tasks.sweep", "failure"]
    counters.publish_counts()  # there is nothing new to publish
    counters._published_counts.clear()  # as in another process, which has the same counts
    both = shared_counters()["spellcaster_tasks_total", "duels.tasks.sweep", "failure"]
    assert both == 2 * one


def shared_counters() -> Metrics:
    samples = (
        sample for metric in counters.CountersCollector().collect() for sample in metric.samples
    )
    return {(each.name, *each.labels.values()): each.value for each in samples}
