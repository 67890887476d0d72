"""Webhooks of the site's email service: bounces and incoming email.

The views are django-anymail's, which check secrets and signatures and are exempt from CSRF checks.
This module defines the URLs for the service that the site uses, and handles errors: it asks the
service to try again, and keeps the content out of the response and the log.
"""

import json
import logging
import re
from collections.abc import Callable
from functools import wraps
from itertools import islice
from typing import Any, Final

from anymail import urls as anymail_urls
from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern

from duels.errors import error_summary

logger = logging.getLogger(__name__)

STATUS_UNREADABLE: Final = 400
STATUS_TOO_LARGE: Final = 413
STATUS_TRY_AGAIN: Final = 503

# Python's parser makes a message of each part and of each block of a report, and examines each line
# once for every enclosing part. An email with far more parts than usual would take gigabytes and
# minutes. The patterns match line ends as they are in form data and in JSON.
MAX_PARTS: Final = 10_000
MAX_MULTIPARTS: Final = 100
_LINE_END_PATTERN = rb"(?:\r\n?|\n|\\r\\n|\\r|\\n)"
_PART_PATTERN = re.compile(_LINE_END_PATTERN + rb"(?:(?=" + _LINE_END_PATTERN + rb")|--)")
_MULTIPART_PATTERN = re.compile(rb"multipart", re.IGNORECASE)

View = Callable[..., HttpResponse]


def webhook_patterns() -> list[URLPattern]:
    """Return the service's URLs, such as `postmark/inbound/`, or none if no secret is set."""
    service = settings.MAIL_SERVICE
    if service is None or not service.accepts_webhooks:
        return []
    return [
        URLPattern(each.pattern, _with_size_limits(each.callback), name=each.name)
        for each in anymail_urls.urlpatterns
        if each.name is not None and each.name.startswith(f"{service.name}_")
    ]


def _with_size_limits(view: View) -> View:
    @wraps(view)
    def view_with_limits(request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponse:
        try:
            if _has_too_many_parts(request.body):
                return HttpResponse(status=STATUS_TOO_LARGE)
            return view(request, *arguments, **named)
        except SuspiciousOperation:
            raise  # a wrong secret or signature, for which Django returns 400
        except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
            # Do not ask the service to try again, because the content would still be invalid.
            logger.warning(
                "A webhook of the email service sent invalid JSON: %s", error_summary(error)
            )
            return HttpResponse(status=STATUS_UNREADABLE)
        except Exception as error:
            logger.error("A webhook of the email service failed: %s", error_summary(error))
            return HttpResponse(status=STATUS_TRY_AGAIN)

    return view_with_limits


def _has_too_many_parts(body: bytes) -> bool:
    return any(
        next(islice(pattern.finditer(body), limit, None), None)
        for limit, pattern in ((MAX_MULTIPARTS, _MULTIPART_PATTERN), (MAX_PARTS, _PART_PATTERN))
    )
