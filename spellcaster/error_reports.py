"""Error reports that show where an error was raised, but no text that users have written.

Forms contain orders, and so do the variables of the code that reads forms. Exception messages may
quote orders. None of this may appear in logs, error pages or emails to the operators (promise 1).
"""

import logging
import traceback
from collections.abc import ItemsView, Mapping
from types import FrameType, TracebackType
from typing import Any, Final

from django.http import HttpRequest
from django.views.debug import ExceptionReporter, SafeExceptionReporterFilter

REPLACEMENT = "(not shown)"
# URL arguments that act as keys.
SECRET_PATH_PARAMETERS: Final = frozenset({"token", "key", "uidb36"})

ExceptionInfo = (
    tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
)


class RedactingReportFilter(SafeExceptionReporterFilter):
    """A filter that removes submitted values and all variables from reports, even with DEBUG on."""

    def is_active(self, request: HttpRequest | None) -> bool:
        return True

    def get_post_parameters(self, request: HttpRequest | None) -> dict[str, Any]:
        if request is None:
            return {}
        try:
            names = list(request.POST)
        except Exception:  # the fields of an unreadable body are unknown
            return {}
        return dict.fromkeys(names, REPLACEMENT)

    def get_traceback_frame_variables(
        self, request: HttpRequest | None, tb_frame: FrameType
    ) -> ItemsView[str, Any]:
        return dict.fromkeys(tb_frame.f_locals, REPLACEMENT).items()


class TracebackWithoutValues(ExceptionReporter):
    """An error report with the types and places of exceptions, but without their messages."""

    def get_traceback_data(self) -> dict[str, Any]:
        data: dict[str, Any] = super().get_traceback_data()
        data.pop("unicode_hint", None)
        data.pop("exception_notes", None)
        if "exception_value" in data:
            data["exception_value"] = REPLACEMENT
        return data

    def get_traceback_frames(self) -> list[dict[str, Any]]:
        frames: list[dict[str, Any]] = super().get_traceback_frames()
        for frame in frames:
            if frame["exc_cause"] is not None:
                # The text that templates print: the exception's type, without its message.
                frame["exc_cause"] = type(frame["exc_cause"]).__name__
        return frames


class FormatterWithoutValues(logging.Formatter):
    """A log formatter that shows exceptions and their causes without messages."""

    def formatException(self, ei: ExceptionInfo) -> str:
        lines: list[str] = []
        error, seen = ei[1], set[int]()
        while error is not None and id(error) not in seen:
            seen.add(id(error))
            lines.append(type(error).__qualname__)
            lines.extend(
                f"  {place.filename}:{place.lineno} {place.name}"
                for place in traceback.extract_tb(error.__traceback__)
            )
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\n".join(lines)


class TaskErrorFilter(logging.Filter):
    """A filter that reduces the exception in Celery's message about a failed task to its type."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, Mapping) and "exc" in record.args:
            kind = str(record.args["exc"]).partition("(")[0]  # omit the exception's arguments
            record.args = {**record.args, "exc": kind}
        return True


class SecretPathFilter(logging.Filter):
    """A filter that replaces paths that contain keys, such as tokens, with their routes."""

    def filter(self, record: logging.LogRecord) -> bool:
        match = getattr(getattr(record, "request", None), "resolver_match", None)
        if match is not None and not SECRET_PATH_PARAMETERS.isdisjoint(match.kwargs):
            path, route = record.request.path, f"/{match.route}"  # type: ignore[attr-defined]
            record.msg, record.args = record.getMessage().replace(path, route), ()
        return True
