"""What is told of an error: where it was raised, and nothing of what anybody has written.

A form holds orders, and so do the variables of the code that reads them; an exception's message may
quote them. None of it stands in a log, an error page or a mail to the operators. Promise 1
"""

import logging
import traceback
from collections.abc import ItemsView
from types import FrameType, TracebackType
from typing import Any

from django.http import HttpRequest
from django.views.debug import ExceptionReporter, SafeExceptionReporterFilter

NOT_SHOWN = "(not shown)"

ExceptionInfo = (
    tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
)


class NothingWritten(SafeExceptionReporterFilter):
    """Keeps what was typed, and every variable, out of each report, also where DEBUG is on."""

    def is_active(self, request: HttpRequest | None) -> bool:
        return True

    def get_post_parameters(self, request: HttpRequest | None) -> dict[str, Any]:
        if request is None:
            return {}
        try:
            names = list(request.POST)
        except Exception:  # a body that cannot be read is none that could be reported
            return {}
        return dict.fromkeys(names, NOT_SHOWN)

    def get_traceback_frame_variables(
        self, request: HttpRequest | None, tb_frame: FrameType
    ) -> ItemsView[str, Any]:
        return dict.fromkeys(tb_frame.f_locals, NOT_SHOWN).items()


class PlacesOnly(ExceptionReporter):
    """A report of an error by its kind and places, without the messages of its exceptions."""

    def get_traceback_data(self) -> dict[str, Any]:
        data: dict[str, Any] = super().get_traceback_data()
        data.pop("unicode_hint", None)
        data.pop("exception_notes", None)
        if "exception_value" in data:
            data["exception_value"] = NOT_SHOWN
        return data

    def get_traceback_frames(self) -> list[dict[str, Any]]:
        frames: list[dict[str, Any]] = super().get_traceback_frames()
        for frame in frames:
            if frame["exc_cause"] is not None:
                # Templates print it: the kind of exception without its message.
                frame["exc_cause"] = type(frame["exc_cause"]).__name__
        return frames


class PlacesFormatter(logging.Formatter):
    """Logs an exception by its kind and places, without its message or that of its cause."""

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
