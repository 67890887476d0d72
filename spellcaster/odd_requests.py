"""Rejection of malformed requests, with status 400 or 413, before any view runs.

Django reads the query and the form of a request only on demand, so a malformed request would cause
an error where code first uses them. This module reads them early, rejects malformed requests, and
logs this. Code that runs after a rejection, such as the error page, gets an empty query and form.
"""

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

UTF_8_CHARSETS: Final = frozenset({"", "utf-8", "utf8", "us-ascii"})

BAD_CONTENT_TYPE: Final = "Its content type is not valid."
BAD_CHARSET: Final = "It is not encoded in UTF-8."
UNREADABLE: Final = "Its address or its form data is not valid."
TOO_LARGE: Final = "It is too large."

GetResponse = Callable[[HttpRequest], HttpResponseBase]


class MalformedRequestMiddleware:
    """Middleware that rejects malformed requests. It precedes all others that read requests."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        fault = getattr(request, "fault", "") or _fault_of_request(request)
        if fault:
            request.fault = fault  # type: ignore[attr-defined]  # middleware may add it
            _empty_query_and_form(request)
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: object, arguments: Any, named: dict[str, Any]
    ) -> HttpResponse | None:
        """Answer in place of the view, because the session and the user are not known earlier."""
        fault: str = getattr(request, "fault", "")
        return malformed_request_response(request, fault) if fault else None


def malformed_request_response(request: HttpRequest, fault: str) -> HttpResponse:
    """Return an error page that names the part that could not be read."""
    is_large = fault == TOO_LARGE
    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE if is_large else HTTPStatus.BAD_REQUEST
    response = render(request, "400.html", {"fault": fault, "status": status}, status=status)
    log_response(f"{fault} %s", request.path, response=response, request=request)
    return response


def _fault_of_request(request: HttpRequest) -> str:
    """Return why the request cannot be read, or "" if it can."""
    if (request.content_params or {}).get("charset", "").lower() not in UTF_8_CHARSETS:
        return BAD_CHARSET
    try:
        _ = request.GET
        if request.method == "POST":
            _ = request.body, request.POST  # Django cannot read the body after the form
    except RequestDataTooBig:
        return TOO_LARGE
    except (
        BadRequest,
        MultiPartParserError,
        SuspiciousOperation,
        UnreadablePostError,
        ValueError,
    ):
        return UNREADABLE
    return ""


def _empty_query_and_form(request: HttpRequest) -> None:
    """Clear the request's query and form, so that later code does not fail on them."""
    request.encoding = settings.DEFAULT_CHARSET  # this drops the parsed query and form
    request.GET = QueryDict()
    request._mark_post_parse_error()  # type: ignore[attr-defined]  # as Django does when it fails


class _LenientContentTypeMixin:
    """Mixin that accepts any content type, and records a malformed content type as a fault."""

    fault = ""

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]  # of the other base class
        except (ValueError, LookupError):
            self.content_type: str | None = ""
            self.content_params: dict[str, str] | None = {}
            self.fault = BAD_CONTENT_TYPE


class _WSGIRequest(_LenientContentTypeMixin, WSGIRequest):
    pass


class _ASGIRequest(_LenientContentTypeMixin, ASGIRequest):
    pass


class LenientWSGIHandler(WSGIHandler):
    """WSGI handler that accepts content types that make Django fail before any middleware."""

    request_class = _WSGIRequest


class LenientASGIHandler(ASGIHandler):
    """ASGI handler that accepts content types that make Django fail before any middleware."""

    request_class = _ASGIRequest
