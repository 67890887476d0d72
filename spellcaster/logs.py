"""Log lines as JSON objects, with the ids of the request or task, the duel and the turn.

Like all log lines of the site, they contain neither messages of exceptions nor anything that users
wrote (`spellcaster.error_reports`).
"""

import inspect
import json
import logging
import secrets
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponseBase

from spellcaster.error_reports import FormatterWithoutValues

if TYPE_CHECKING:
    from celery import Task

RECORD_IDS: Final = ("duel", "turn")  # ids that callers of a logger can pass as `extra`

_current_ids: ContextVar[Mapping[str, object]] = ContextVar("log_ids", default=MappingProxyType({}))


class JsonFormatter(FormatterWithoutValues):
    """A formatter that writes each record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **_current_ids.get(),
            **{name: vars(record)[name] for name in RECORD_IDS if name in vars(record)},
        }
        if record.exc_info:
            fields["error"] = self.formatException(record.exc_info)
        return json.dumps(fields, default=str)


class RequestIdMiddleware:
    """Middleware that gives each request an id, and adds it to its log lines and its response."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        if not settings.LOG_JSON:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        request_id = secrets.token_hex(8)
        _current_ids.set({"request": request_id})
        response = self.get_response(request)
        response["X-Request-ID"] = request_id
        return response

    def process_view(
        self, request: HttpRequest, view: object, arguments: object, named: dict[str, Any]
    ) -> None:
        _current_ids.set({**_current_ids.get(), **_ids_among(named)})


def set_task_ids(task: "Task[Any, Any]", *args: object) -> None:
    """Set the ids of a task that begins, including primary keys among its arguments."""
    names = inspect.signature(task.run).parameters
    arguments = dict(zip(names, args, strict=False))
    _current_ids.set({"task": task.name, "task_id": task.request.id, **_ids_among(arguments)})


def _ids_among(arguments: Mapping[str, Any]) -> dict[str, int]:
    """Return the arguments that are ids, such as `duel_id=7` as `duel`."""
    numbers = {name: value for name, value in arguments.items() if isinstance(value, int)}
    return {name.removesuffix("_id"): value for name, value in numbers.items()}
