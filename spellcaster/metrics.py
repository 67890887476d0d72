"""The metrics of the site for Prometheus, at `/metrics`.

Gauges are read from the database and the broker at each request, and counters are shared
(`spellcaster.counters`), so every process gives the same answer. The address does not
exist without METRICS_TOKEN, which Prometheus sends as a bearer token. Like the URLs of
`spellcaster.health`, this URL works with any host name.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Final

import redis
from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db.models import Count, F, Max, Min, QuerySet
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.crypto import constant_time_compare
from prometheus_client import CollectorRegistry, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.registry import Collector

from duels.commands.sweeping import complete_turns
from duels.loaded.database_clock import database_now
from duels.models import FINISHED_STATUSES, Alarm, DuelStatus, LastSweep, OutboxStatus, Seat
from duels.post.public import Notice, SilencedAddress, UnclearBounce
from duels.push.public import Push
from duels.referees.models import UNCLAIMED_STATUSES, Case
from duels.webhooks.public import WebhookMessage
from spellcaster import counters, health

RECENT_PERIOD: Final = timedelta(hours=1)  # maximum age of finished notices that are counted


class MetricsMiddleware:
    """Middleware that counts requests, and answers requests for the metrics."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        if not settings.METRICS_TOKEN:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info == "/metrics":
            return metrics_response(request)
        began = time.perf_counter()
        response = self.get_response(request)
        match = request.resolver_match  # None for polls and files, which other middleware answers
        counters.count_request(
            match.view_name if match else "none",
            response.status_code,
            time.perf_counter() - began,
        )
        return response


def metrics_response(request: HttpRequest) -> HttpResponse:
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not constant_time_compare(token, settings.METRICS_TOKEN):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    return HttpResponse(generate_latest(REGISTRY), content_type=CONTENT_TYPE_PLAIN_0_0_4)


class DatabaseCollector(Collector):
    """The state of the site. Parts that do not respond are left out, except in `spellcaster_up`."""

    def describe(self) -> list[Metric]:
        return []  # do not collect metrics when the registry is created

    def collect(self) -> Iterator[Metric]:
        results = health.readiness_results()
        ready = {part: result == "ok" for part, result in results.items()}
        yield _gauge("up", "Whether a part of the site responds", "part", ready)
        if ready["cache"]:
            yield from counters.CountersCollector().collect()
        if ready["broker"] and settings.REDIS_URL:
            yield from queue_gauges()
        if ready["database"] and ready["migrations"]:
            yield from database_gauges(database_now())


REGISTRY: Final = CollectorRegistry()
REGISTRY.register(DatabaseCollector())


def queue_gauges() -> Iterator[Metric]:
    with redis.Redis.from_url(settings.REDIS_URL, **settings.REDIS_TIMEOUTS) as broker:
        waiting = {queue: broker.llen(queue) for queue in settings.QUEUES}
        taken = broker.hlen("unacked")
    yield _gauge("tasks_waiting", "Tasks that wait for a worker", "queue", waiting)
    yield _gauge("tasks_running", "Tasks that workers have taken", value=taken)


def database_gauges(now: datetime) -> Iterator[Metric]:
    yield _gauge("oldest_seconds", "Age of the oldest unfinished work", "work", _oldest_ages(now))
    outboxes: dict[str, QuerySet[Any]] = {
        "notices": Notice.objects.all(),
        "pushes": Push.objects.all(),
        "webhook_messages": WebhookMessage.objects.all(),
    }
    for name, rows in outboxes.items():
        text = "Messages by state; of finished messages, only those of the last hour"
        yield _gauge(name, text, "state", _outbox_states(rows, now))
    silenced = SilencedAddress.objects.filter(lifted_at=None)
    yield _gauge(
        "silenced_addresses", "Addresses turned off", "cause", _row_counts(silenced, "cause")
    )
    unclear = UnclearBounce.objects.count()
    yield _gauge("unclear_bounces", "Bounces without a clear reason", value=unclear)
    unclaimed = Case.objects.filter(status__in=UNCLAIMED_STATUSES)
    yield _gauge("cases_waiting", "Cases without a referee", "kind", _row_counts(unclaimed, "kind"))
    alarms = Alarm.objects.filter(ended_at=None)
    yield _gauge("alarms", "Open alarms", "kind", _row_counts(alarms, "kind"))


def _oldest_ages(now: datetime) -> dict[str, float]:
    """Return how many seconds the oldest work of each kind has been waiting, or 0."""
    complete = complete_turns().annotate(since=Coalesce(Max("orders__sealed_at"), F("opened_at")))
    overdue = Seat.objects.filter(awaited=True, duel__status=DuelStatus.RUNNING, due_at__lte=now)
    queued = {"status": OutboxStatus.QUEUED, "due_at__lte": now}
    since: dict[str, datetime | None] = {
        "complete_turn": complete.aggregate(oldest=Min("since"))["oldest"],
        "deadline": _oldest_time(overdue, "due_at"),
        "notice": _oldest_time(Notice.objects.filter(**queued), "due_at"),
        "push": _oldest_time(Push.objects.filter(**queued), "due_at"),
        "webhook_message": _oldest_time(WebhookMessage.objects.filter(**queued), "due_at"),
        "case": _oldest_time(Case.objects.filter(status__in=UNCLAIMED_STATUSES), "opened_at"),
        "sweep": _oldest_time(LastSweep.objects.all(), "began_at"),
    }
    return {work: (now - at).total_seconds() if at else 0 for work, at in since.items()}


def _oldest_time(rows: QuerySet[Any], column: str) -> datetime | None:
    oldest: datetime | None = rows.aggregate(oldest=Min(column))["oldest"]
    return oldest


def _outbox_states(rows: QuerySet[Any], now: datetime) -> dict[str, int]:
    """Count rows by state. There is one query per state, so that each can use a partial index."""
    queued = rows.filter(status=OutboxStatus.QUEUED)
    finished = rows.filter(status__in=FINISHED_STATUSES, created_at__gt=now - RECENT_PERIOD)
    return {
        "queued": queued.filter(attempts=0).count(),
        "retrying": queued.filter(attempts__gt=0).count(),
        "sending": rows.filter(status=OutboxStatus.SENDING).count(),
        **dict.fromkeys(map(str, FINISHED_STATUSES), 0),
        **_row_counts(finished, "status"),
    }


def _row_counts(rows: QuerySet[Any], column: str) -> dict[str, int]:
    return dict(rows.order_by().values_list(column).annotate(Count("pk")))


def _gauge(
    name: str,
    text: str,
    label: str = "",
    values: Mapping[str, float] = MappingProxyType({}),
    value: float | None = None,
) -> Metric:
    metric = GaugeMetricFamily(f"spellcaster_{name}", text, value, [label] if label else None)
    for each, number in values.items():
        metric.add_metric([each], number)
    return metric
