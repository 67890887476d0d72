"""The site's own 404 page, even with DEBUG on.

Django's technical page lists every URL, and does not offer a sign-in to readers who have followed a
link in an email.
"""

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseNotFound
from django.views.defaults import page_not_found


class DebugNotFoundMiddleware:
    """Middleware that replaces Django's 404 page for developers.

    This must be the last middleware, so that session and user are known when it renders the page.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        if not settings.DEBUG:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if isinstance(response, HttpResponseNotFound):
            return page_not_found(request, Http404())
        return response
