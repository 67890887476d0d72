"""Health checks for load balancers and service managers: `/healthz` and `/readyz`.

`/healthz` shows that this process responds. `/readyz` shows whether the services that the site
needs also respond. Both work with any host name and without HTTPS, because load balancers connect
to an IP address.
"""

import logging
from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.core.cache import caches
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse

from spellcaster.celery import app

logger = logging.getLogger(__name__)


class HealthMiddleware:
    """Middleware that answers both URLs before any other middleware runs."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        match request.path_info:
            case "/healthz":
                return HttpResponse("ok\n", content_type="text/plain")
            case "/readyz":
                return readiness()
        return self.get_response(request)


def readiness() -> JsonResponse:
    """Return "ok" or the type of the error for each part, with status 503 if one of them fails."""
    found = readiness_results()
    is_ready = set(found.values()) == {"ok"}
    response = JsonResponse(found, status=200 if is_ready else 503)
    response["Cache-Control"] = "no-store"
    return response


def readiness_results() -> dict[str, str]:
    """Check each part, and return "ok" or the type of the error for it."""
    return {name: _check_result(check) for name, check in CHECKS.items()}


def check_database() -> None:
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute("SELECT 1")


def check_migrations() -> None:
    executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise PendingMigrations


def check_cache() -> None:
    if settings.CACHE_URL:  # without Redis, the cache is in this process
        caches["volatile"].get("readyz")


def check_broker() -> None:
    if settings.REDIS_URL:  # without Redis, tasks run in this process
        with app.connection_for_write(transport_options=settings.BROKER_TIMEOUTS) as connection:
            connection.ensure_connection(max_retries=0, timeout=1)


class PendingMigrations(Exception):
    """Error for a database that lacks some migrations."""


CHECKS: Final = {
    "database": check_database,
    "migrations": check_migrations,
    "cache": check_cache,
    "broker": check_broker,
}


def _check_result(check: Callable[[], None]) -> str:
    try:
        check()
    except Exception as error:  # client libraries raise many kinds of errors
        logger.warning("%s failed: %s", check.__name__, type(error).__name__)
        return type(error).__name__
    return "ok"
