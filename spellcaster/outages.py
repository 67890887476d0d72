"""Responses and log lines while the database or the broker does not respond.

Without the database, a request gets status 503 with Retry-After instead of status 500. Without the
broker, requests succeed and tasks are sent later. For each of the two, the log of each process gets
one line a minute instead of a stack trace for each request or task. Other errors of the database or
the broker are not changed.
"""

import logging
import sys
from collections.abc import Iterator
from http import HTTPStatus
from time import monotonic
from typing import Final

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error
from kombu.exceptions import OperationalError as BrokerError

RETRY_SECONDS: Final = 60
LOG_SECONDS: Final = 60
# Classes of PostgreSQL's error codes: connection failure, lack of resources, server stop or start.
OUTAGE_CODES: Final = ("08", "53", "57P")


def is_outage(error: BaseException | None) -> bool:
    """Return whether the database could not be reached or has closed the connection."""
    return any(
        isinstance(each, OperationalError | InterfaceError) and _is_lost_connection(each)
        for each in _causes(error)
    )


def error_page(request: HttpRequest) -> HttpResponse:
    """Return the page for an error in a view, without using the database."""
    if not is_outage(sys.exc_info()[1]):
        return server_error(request)
    page = render_to_string("503.html", {"is_outage": True})
    response = HttpResponse(page, status=HTTPStatus.SERVICE_UNAVAILABLE)
    response["Retry-After"] = str(RETRY_SECONDS)
    return response


class OutageFilter(logging.Filter):
    """A filter that shortens log records of an outage to one line, and passes one a minute."""

    def __init__(self) -> None:
        super().__init__()
        # for each silent service, when its next line may be written, on the monotonic clock
        self.next_lines: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        service = _silent_service(record.exc_info[1]) if record.exc_info else None
        if service is None:
            return True
        now = monotonic()
        if now < self.next_lines.get(service, now):
            return False
        self.next_lines[service] = now + LOG_SECONDS
        record.msg = f"The {service} does not respond: {record.getMessage()}"
        record.args, record.exc_info = (), None
        return True


def _silent_service(error: BaseException | None) -> str | None:
    """Return the service whose silence caused this error, or None if it has another cause."""
    if is_outage(error):
        return "database"
    if any(isinstance(each, BrokerError) for each in _causes(error)):
        return "broker"
    return None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def _is_lost_connection(error: Exception) -> bool:
    code: str | None = getattr(error.__cause__, "sqlstate", "not of PostgreSQL")
    return code is None or code.startswith(OUTAGE_CODES)
