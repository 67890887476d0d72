"""Tests of the development server's request log, which omits successful polls."""

import logging
from typing import Any

import pytest
from django.utils.log import CallbackFilter

from spellcaster.settings import LOGGING


@pytest.mark.parametrize(
    ("line", "status", "told"),
    [
        ("GET /duels/7/poll HTTP/1.1", "304", False),
        ("GET /duels/7/poll?away HTTP/1.1", "200", False),
        ("GET /waiting HTTP/1.1", "200", False),
        ("GET /duels/7/poll HTTP/1.1", "500", True),
        ("GET /duels/7/poll HTTP/1.1", "404", True),
        ("GET /duels/7/ HTTP/1.1", "200", True),
        ("GET /about/?next=/waiting HTTP/1.1", "200", True),
        ("", "200", True),
    ],
)
def test_successful_polls_are_not_logged(line: str, status: str, told: bool):
    record = logging.LogRecord(
        "django.server", logging.INFO, __file__, 1, '"%s" %s %s', (line, status, "12"), None
    )
    assert passes_log_filter(record) is told


def test_other_requests_and_loggers_are_logged():
    record = logging.LogRecord("x", logging.INFO, __file__, 1, "plain", None, None)
    assert passes_log_filter(record)


def passes_log_filter(record: logging.LogRecord) -> bool:
    filters: Any = LOGGING["filters"]
    return bool(CallbackFilter(filters["no_polls"]["callback"]).filter(record))
