"""Requests that no browser makes: refused with 400 at one place, before any view looks at them.

Whatever of a request Django reads late (form, query, cookies) is read here, so that what cannot be
read is refused once, in a line of the log, and not wherever it is first asked for. What follows a
refusal, such as the page that says so, finds an empty query and an empty form.
"""

import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.core.handlers.asgi import ASGIHandler, ASGIRequest
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import render
from django.utils.log import log_response

UTF_8: Final = frozenset({"", "utf-8", "utf8", "us-ascii"})
_LENGTH = re.compile(r"[0-9]{1,18}")

BAD_TYPE: Final = "Its content type cannot be read."
BAD_CHARSET: Final = "It is not in UTF-8."
BAD_LENGTH: Final = "Its length is not a number."
BAD_QUERY: Final = "Its address cannot be read."
BAD_FORM: Final = "Its form cannot be read."
BAD_COOKIE: Final = "Its cookies cannot be read."
TOO_LARGE: Final = "It is too large."

Response = Callable[[HttpRequest], HttpResponseBase]


class RefusesOddRequests:
    """A middleware, the first of those that look into a request."""

    def __init__(self, get_response: Response) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        fault = getattr(request, "fault", "") or _fault(request)
        if fault:
            request.fault = fault  # type: ignore[attr-defined]  # a middleware's way
            _empty(request)
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: object, arguments: Any, named: dict[str, Any]
    ) -> HttpResponse | None:
        """Answers instead of the view, when session and user are known to the page."""
        fault: str = getattr(request, "fault", "")
        return refusal(request, fault) if fault else None


def refusal(request: HttpRequest, fault: str) -> HttpResponse:
    """The page that says what could not be read."""
    is_large = fault == TOO_LARGE
    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE if is_large else HTTPStatus.BAD_REQUEST
    response = render(request, "400.html", {"fault": fault, "status": status}, status=status)
    log_response(f"{fault} %s", request.path, response=response, request=request)
    return response


def _fault(request: HttpRequest) -> str:
    """Why the request cannot be read; empty where it can."""
    if (request.content_params or {}).get("charset", "").lower() not in UTF_8:
        return BAD_CHARSET
    if not _LENGTH.fullmatch(request.META.get("CONTENT_LENGTH") or "0"):
        return BAD_LENGTH
    try:
        _ = request.GET
    except (SuspiciousOperation, ValueError):
        return BAD_QUERY
    try:
        _read_form(request)
    except RequestDataTooBig:
        return TOO_LARGE
    except (
        BadRequest,
        MultiPartParserError,
        SuspiciousOperation,
        UnreadablePostError,
        ValueError,
    ):
        return BAD_FORM
    try:
        _ = request.COOKIES
    except ValueError:
        return BAD_COOKIE
    return ""


def _read_form(request: HttpRequest) -> None:
    """The form of a POST. Its body is read first: once a form is made of it there is none."""
    if request.method == "POST":
        _ = request.body, request.POST


def _empty(request: HttpRequest) -> None:
    """Nothing stumbles over what was sent when it is asked for again."""
    request.encoding = settings.DEFAULT_CHARSET  # forgets the query and the form as well
    request.GET = QueryDict()
    request._mark_post_parse_error()  # type: ignore[attr-defined]  # as Django does when it fails


class _Typed:
    """A request whose content type may be anything at all."""

    fault = ""

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]  # of the class beside it
        except (ValueError, LookupError):
            self.content_type: str | None = ""
            self.content_params: dict[str, str] | None = {}
            self.fault = BAD_TYPE


class _WSGIRequest(_Typed, WSGIRequest):
    pass


class _ASGIRequest(_Typed, ASGIRequest):
    pass


class WSGIApplication(WSGIHandler):
    """Django's, which fails outside every middleware at some content types."""

    request_class = _WSGIRequest


class ASGIApplication(ASGIHandler):
    """The same for ASGI."""

    request_class = _ASGIRequest
