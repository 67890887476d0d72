"""Counters for `/metrics` that all processes add up: requests, tasks and resolved turns.

Each process counts in memory. Every few seconds, a thread adds the counts to a hash in Redis, so
nothing else waits for Redis. If Redis loses the hash, the counters start from 0, which Prometheus
expects of counters. Without Redis, each process has its own counters.
"""

import atexit
import json
import logging
import os
import threading
import time
from collections.abc import Iterator
from typing import Final

import prometheus_client
import redis
from django.conf import settings
from prometheus_client import CollectorRegistry, Counter, Histogram, Metric
from prometheus_client.registry import Collector
from prometheus_client.samples import Sample

logger = logging.getLogger(__name__)

REDIS_HASH: Final = "metrics"
PUBLISH_SECONDS: Final = 5

prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call]  # has no types
_REGISTRY: Final = CollectorRegistry()  # the counts of this process
_REQUESTS: Final = Counter(
    "spellcaster_requests", "Requests, by view and status", ("view", "status"), registry=_REGISTRY
)
_REQUEST_SECONDS: Final = Histogram(
    "spellcaster_request_seconds", "Duration of requests", registry=_REGISTRY
)
_TASKS: Final = Counter(
    "spellcaster_tasks", "Finished tasks, by final state", ("task", "state"), registry=_REGISTRY
)
_TURNS: Final = Counter("spellcaster_turns_resolved", "Resolved turns", registry=_REGISTRY)
_TURN_SECONDS: Final = Histogram(
    "spellcaster_turn_seconds",
    "Seconds from the last seal until the turn was resolved",
    buckets=(0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3600),
    registry=_REGISTRY,
)

# Counts of this process that have already been added to Redis.
_published_counts: dict[str, float] = {}
_publish_lock = threading.Lock()
_publishing_pid = 0  # id of the process whose thread publishes; a forked process starts its own


def count_request(view: str, status: int, seconds: float) -> None:
    if _is_counting():
        _REQUESTS.labels(view, str(status)).inc()
        _REQUEST_SECONDS.observe(seconds)


def count_task(name: str, state: str) -> None:
    if _is_counting():
        _TASKS.labels(name, state.lower()).inc()


def count_turns(resolved: int, seconds: float | None) -> None:
    """Count turns that were resolved together, `seconds` after the last seal, if that is known."""
    if _is_counting():
        _TURNS.inc(resolved)
        if seconds is not None:
            _TURN_SECONDS.observe(max(0, seconds))


def publish_counts() -> None:
    """Add what this process has counted since the last call to the counters in Redis."""
    with _publish_lock:
        samples = [sample for metric in _REGISTRY.collect() for sample in metric.samples]
        counts = {json.dumps([sample.name, sample.labels]): sample.value for sample in samples}
        with _redis() as server, server.pipeline() as pipeline:
            for field, value in counts.items():
                if value != _published_counts.get(field, 0):
                    pipeline.hincrbyfloat(
                        REDIS_HASH, field, value - _published_counts.get(field, 0)
                    )
            pipeline.execute()
        _published_counts.update(counts)


class CountersCollector(Collector):
    """Collector of the counters of the whole site, or of this process if there is no Redis."""

    def collect(self) -> Iterator[Metric]:
        if not settings.CACHE_URL:
            yield from _REGISTRY.collect()
            return
        publish_counts()
        with _redis() as server:
            stored = [
                (json.loads(key), float(n)) for key, n in sorted(server.hgetall(REDIS_HASH).items())
            ]
        samples = [Sample(name, labels, value) for (name, labels), value in stored]
        # The names of samples end in _total, _bucket, _sum or _count.
        for metric in _REGISTRY.collect():
            metric.samples = [
                each for each in samples if each.name.rpartition("_")[0] == metric.name
            ]
            yield metric


def _redis() -> redis.Redis:
    return redis.Redis.from_url(settings.CACHE_URL, **settings.REDIS_TIMEOUTS)


def _is_counting() -> bool:
    """Return whether metrics are on. Start this process's thread if it is not running."""
    global _publishing_pid
    if not settings.METRICS_TOKEN:
        return False
    if settings.CACHE_URL and _publishing_pid != os.getpid():
        _publishing_pid = os.getpid()
        threading.Thread(target=_publish_forever, daemon=True).start()
        atexit.register(_publish_or_log)
    return True


def _publish_forever() -> None:
    while True:
        time.sleep(PUBLISH_SECONDS)
        _publish_or_log()


def _publish_or_log() -> None:
    try:
        publish_counts()
    except redis.RedisError as error:
        logger.warning("Counters were not published: %s", type(error).__name__)
