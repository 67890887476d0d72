"""Responses and log lines while the database does not respond.

A request gets status 503 with Retry-After instead of status 500. The log of each process gets one
line a minute instead of a stack trace for each request or task. Other errors of the database are
not changed.
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

    next_line = 0.0  # time of the next line, on the monotonic clock

    def filter(self, record: logging.LogRecord) -> bool:
        if not (record.exc_info and is_outage(record.exc_info[1])):
            return True
        now = monotonic()
        if now < self.next_line:
            return False
        self.next_line = now + LOG_SECONDS
        record.msg = f"The database does not respond: {record.getMessage()}"
        record.args, record.exc_info = (), None
        return True


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def _is_lost_connection(error: Exception) -> bool:
    code: str | None = getattr(error.__cause__, "sqlstate", "not of PostgreSQL")
    return code is None or code.startswith(OUTAGE_CODES)
